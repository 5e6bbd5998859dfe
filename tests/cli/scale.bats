# The recipes of profscale(7) in samples/scale: each gives the bytes of one command, says by its status that
# something is missing, and gives the same bytes when it is tried again.

load helpers
load scale-helpers

# A recipe that makes all.pb.gz of parts: alone, with labels, where a file is missing, where the disk is full,
# where a leaf was killed, and again.
merges() {  # command ...
    local missing
    "$@"
    same one.pb.gz all.pb.gz
    rm all.pb.gz parts/*.pb.gz
    LABEL_FROM_NAME=$LABELS "$@"
    same labelled.pb.gz all.pb.gz
    rm all.pb.gz parts/*.pb.gz

    missing=$(sed -n 6p list)
    mv "$missing" kept
    try "$@"
    [ "$status" -ne 0 ]
    grep -qF "cannot open $missing" stderr
    [ ! -e all.pb.gz ] && [ ! -e parts/1.pb.gz ]

    # a leaf that is killed while it waits for that file
    mkfifo "$missing"
    ndjson2pprof --canonical --provenance --files-from=parts/1.list -o parts/1.pb.gz &
    exec 9>"$missing"
    kill -KILL $!
    wait $! || true
    exec 9>&-
    [ ! -e parts/1.pb.gz ]
    rm "$missing"
    mv kept "$missing"
    list_them | same list -

    # a name that comes twice
    cp parts/0.list kept
    sed -n 1p kept >>parts/0.list
    try "$@"
    [ "$status" -ne 0 ]
    grep -q 'more than once' stderr
    [ ! -e all.pb.gz ]
    mv kept parts/0.list

    # the tools write no more than that; parallel has files of its own
    tool 'ulimit -f 1'
    PATH=$T/bin:$PATH try "$@"
    [ "$status" -ne 0 ]
    grep -q 'File too large' stderr
    rm -r bin
    [ ! -e all.pb.gz ]

    "$@"
    same one.pb.gz all.pb.gz
}

@test "plan splits a list, and touches only what is new" {
    printf 'parts/%d.list\n' 0 1 2 | same parts/lists -
    printf 'parts/%d.pb.gz\n' 0 1 2 | same parts/leaves -
    cat parts/[012].list | same list -
    [ "$(wc -l <parts/0.list)" -eq 4 ]
    touch -d @1000000000 parts/*
    echo prof/new >>list
    "$SCALE/plan" list parts 4
    [ "$(find parts -type f -newermt @1000000001 | sort | paste -sd ' ')" = 'parts/3.list parts/count parts/leaves parts/lists' ]
    [ "$(echo parts/*)" = 'parts/0.list parts/1.list parts/2.list parts/3.list parts/count parts/leaves parts/lists' ]
    "$SCALE/plan" parts/leaves inner 2
    printf 'parts/%d.pb.gz\n' 0 1 | same inner/0.list -
    [ "$(paste -d ' ' parts/count inner/count)" = '13 13' ]
    "$SCALE/plan" list 'a\nb "$x"' 1
    [ "$(wc -l <'a\nb "$x"/leaves')" -eq 13 ]
    grep -qF 'a\nb "$x"/12.pb.gz' 'a\nb "$x"/leaves'
}

@test "plan refuses what cannot be right" {
    { cat list; sed -n 2p list; } >twice
    try "$SCALE/plan" twice other 4
    says 4 'plan: more than once in twice:' "$(sed -n 2p list)"
    [ ! -e other ]
    for size in '' 0 x -1; do
        try "$SCALE/plan" list other "$size"
        says 2 'usage: plan LIST PARTS SIZE'
    done
    try "$SCALE/plan" list other
    says 2 'usage: plan LIST PARTS SIZE'
    try "$SCALE/plan" /dev/null other 4
    says 1 'plan: no names in /dev/null'
    seq 1000 >list
    status=0
    (ulimit -f 1; "$SCALE/plan" list other 1000) 2>stderr || status=$?
    [ "$status" -ne 0 ]
    [ ! -e other/leaves ]
}

@test "GNU parallel" {
    need parallel
    mkdir home
    export HOME=$T/home # parallel keeps a folder there
    merges "$SCALE/parallel" parts all.pb.gz
    mv one.pb.gz first.pb.gz
    PATH=$T/bin:$PATH
    "$SCALE/plan" list one 12
    failing 3 3
    "$SCALE/parallel" one all.pb.gz 2>stderr
    same first.pb.gz all.pb.gz
    failing 1 100
    run -1 "$SCALE/parallel" parts other.pb.gz
    [ ! -e other.pb.gz ]
}

@test "GNU parallel on other machines" {
    need parallel
    mkdir home
    export HOME=$T/home
    # what stands for ssh: the machine is this one, and begins in another folder
    cat >ssh <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
echo "$1" >>"$SEEN"
shift
[ "$1" != -- ] || shift
cd / && exec env -i PATH="$PATH" HOME="$HOME" SHELL=/bin/sh sh -c "$*"
END
    chmod +x ssh
    export PARALLEL="--ssh $T/ssh --sshlogin 1/left,1/right --workdir $T" SEEN=$T/seen
    LABEL_FROM_NAME=$LABELS "$SCALE/parallel" parts all.pb.gz 2>stderr
    same labelled.pb.gz all.pb.gz
    [ "$(sort -u seen | paste -sd ' ')" = 'left right' ]
}

@test "make, and only the leaves that are new" {
    need make
    merges make -s -j 2 -f "$SCALE/Makefile"
    run -0 make -f "$SCALE/Makefile"
    [[ $output = *'up to date'* ]]
    # inner merges, whose lists are of leaves
    "$SCALE/plan" parts/leaves inner 2
    make -s -f "$SCALE/Makefile" PARTS=inner OUT=tree.pb.gz
    same one.pb.gz tree.pb.gz
    # a leaf of another list
    ndjson2pprof --canonical --provenance -o parts/1.pb.gz "$(sed -n 5p list)"
    run -2 make -s -f "$SCALE/Makefile"
    [[ $output = *'expected 12 sources, found 9'* ]]
    rm parts/1.pb.gz
    make -s -f "$SCALE/Makefile"
    cp "$ROOT/samples/pprof/go-heap.pb.gz" prof/new.pb.gz
    list_them >list
    "$SCALE/plan" list parts 4
    make -f "$SCALE/Makefile" >made
    [ "$(grep -c canonical made)" -eq 2 ]
    ndjson2pprof --canonical --provenance --files-from=list | same - all.pb.gz
    run -2 make -f "$SCALE/Makefile" PARTS=nothing
    [[ $output = *'run plan first'* ]]
}

@test "map, sort and reduce" {
    local key
    # two mappers, as the system would run them
    head -n 5 list | "$SCALE/map" >mapped
    tail -n +6 list | "$SCALE/map" >>mapped
    sort mapped | "$SCALE/reduce" slots >counts
    printf '%s\t3\n' 2026-11-25,db 2026-11-25,web 2026-11-26,db 2026-11-26,web | same counts -
    while read -r key _; do
        grep "/${key/,//}/" list | ndjson2pprof --canonical --provenance --files-from=- | same - "slots/$key.pb.gz"
    done <counts
    ndjson2pprof --canonical --provenance slots/*.pb.gz | same - one.pb.gz

    # a mapper that is lost shows in the sum, and one that fails in its status
    head -n 5 list | "$SCALE/map" | sort | "$SCALE/reduce" fewer | awk '{ n += $2 } END { print n }' | same - <(echo 5)
    mv "$(sed -n 6p list)" kept
    try "$SCALE/map" <list
    [ "$status" -eq 3 ]
    grep -q 'cannot open' stderr
    try "$SCALE/map" <<<host1.pb.gz
    says 1 'map: not DAY/SERVICE/FILE: host1.pb.gz'
    [ "$(awk 'END { print $3 }' mapped | base64 -d | profinfo --format=ndjson | wc -l)" -ge 1 ]
    awk -F '\t' -v OFS='\t' 'NR == 2 { $3 = substr($3, 1, 400) } { print }' mapped >torn
    status=0
    sort torn | "$SCALE/reduce" other >counts 2>stderr || status=$?
    [ "$status" -ne 0 ]
    status=0
    (ulimit -f 1; sort mapped | "$SCALE/reduce" other >counts 2>stderr) || status=$?
    [ "$status" -ne 0 ]
}

# What stands for Slurm: a job runs at once, and one that waits for another runs if that has ended well.
slurm_here() {
    mkdir -p bin
    cat >bin/sbatch <<'END'
#!/bin/sh
array= after=
while [ "${1#-}" != "$1" ]; do
    case $1 in
        --array=0-*) array=${1#--array=0-} ;;
        --dependency=afterok:*) after=${1#--dependency=afterok:} ;;
    esac
    shift
done
echo "${array:-none} ${after:-none}" >>jobs
status=0
if [ -n "$array" ]; then
    for task in $(seq 0 "$array"); do SLURM_ARRAY_TASK_ID=$task sh "$@" >&2 || status=$?; done
    echo '7;cluster'
elif [ "$(cat ended)" = "$after 0" ]; then
    sh "$@"
    exit
fi
echo "7 $status" >ended
END
    chmod +x bin/sbatch
    PATH=$T/bin:$PATH
}

@test "Slurm" {
    slurm_here
    "$SCALE/slurm" parts all.pb.gz --mem=1G
    same one.pb.gz all.pb.gz
    printf '%s\n' '2 none' 'none 7' | same jobs -
    rm all.pb.gz
    LABEL_FROM_NAME=$LABELS "$SCALE/slurm" parts all.pb.gz
    same labelled.pb.gz all.pb.gz
    rm all.pb.gz
    profcat prof/2026-11-25/*/*.pb.gz >parts/1.pb.gz # no leaf
    run -4 "$SCALE/slurm" --root parts all.pb.gz
    [[ $output = *'expected 12 sources, found 14'* ]]

    # each leaf is tried four times, and one whose call is wrong once
    failing 3 3
    "$SCALE/slurm" parts all.pb.gz
    same one.pb.gz all.pb.gz
    [ "$(wc -l <calls)" -eq 7 ] # the first leaf four times, two others and the root
    failing 3 4
    rm all.pb.gz
    "$SCALE/slurm" parts all.pb.gz
    [ ! -e all.pb.gz ]
    failing 2 1
    "$SCALE/slurm" parts all.pb.gz
    [ "$(wc -l <calls)" -eq 3 ] # each leaf once, and no root
    [ ! -e all.pb.gz ]
}

# Prints the arguments of the containers in kubernetes.yaml, a line of JSON each.
container_args() {
    tr '\n' ' ' <"$SCALE/kubernetes.yaml" | grep -o 'args: \[[^]]*\]' | sed 's/args: //' | jq -c .
}

@test "Kubernetes: what the containers are called with" {
    need jq
    local index
    [ "$(container_args | wc -l)" -eq 2 ]
    # the image runs profpipe; the file is for 8 leaves
    call() {  # line index
        container_args | sed -n "$1{s/\$(JOB_COMPLETION_INDEX)/$2/g;s/=1000000\"/=15\"/;p}" >args
        jq -e '.[0] == "ndjson2pprof"' args >/dev/null
        mapfile -t args < <(jq -r '.[]' args)
        "${args[@]}"
    }
    "$SCALE/plan" list parts 2
    for index in 0 1 2 3 4 5; do call 1 $index; done
    run -4 call 2 ''
    [[ $output = *'expected 15 sources, found 12'* ]]
    [ ! -e all.pb.gz ]
    cp prof/2026-11-25/web/host1.pb.gz prof/a.pb.gz
    cp prof/2026-11-25/web/host1.pb.gz prof/b.pb.gz
    cp prof/2026-11-25/web/host1.pb.gz prof/c.pb.gz
    list_them >list
    "$SCALE/plan" list parts 2
    for index in 0 1 2 3 4 5 6; do call 1 $index; done
    run -3 call 2 ''
    [[ $output = *'cannot open parts/7.pb.gz'* ]]
    call 1 7
    call 2 ''
    ndjson2pprof --canonical --provenance --files-from=list | same - all.pb.gz
}
