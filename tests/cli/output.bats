#!/usr/bin/env bats
# Where output goes: a file that is whole or untouched, devices, pipes, full disks.
load helpers

# What writes by itself: a database is no stream.
WRITING=$(some_tools "${TOOLS/profvalidate/}" ndjson2sqlite)

@test "-o and --output write what standard output would get" {
    for tool in $WRITING; do
        input_of $tool >in
        $tool -q in >plain
        for option in '-o x' '-ox' '--output x' '--output=x'; do
            try $tool -q $option in
            says 0
            [ ! -s stdout ]
            same x plain
            rm x
        done
        rm in plain
        [ -z "$(files_here)" ]
    done
}

@test "-o with an error leaves a new file away and an old one untouched" {
    echo 'sample.interval=20000' >good
    for tool in $WRITING; do
        echo garbage >bad
        try $tool -o x bad
        [ $status -eq 1 ]
        [ ! -e x ]
        echo old >x
        try $tool -o x bad
        [ $status -eq 1 ]
        [ "$(cat x)" = old ]
        rm x bad
        [ "$(files_here)" = good ]
    done
}

@test "-o: an error in the second of two inputs" {
    input_of rprof2ndjson >in
    echo old >x
    try rprof2ndjson -o x in missing
    says 3 'rprof2ndjson: cannot open missing: No such file or directory'
    [ "$(cat x)" = old ]
    [ "$(files_here | tr '\n' ' ')" = 'in x ' ]
}

@test "-o: --lossless leaves no file" {
    input_of ndjson2pprof >in
    try ndjson2pprof --lossless -o x in
    says 1 'ndjson2pprof: --lossless: not in pprof: 2 format details (source_type, sources..rprof)'
    [ "$(files_here)" = in ]
}

@test "-o may name the input of a tool from rows to rows" {
    input_of profcat >in
    for tool in profcat profsort prof1to2 prof2to1 'profvalidate --pass'; do
        $tool in -o plain
        cp in x
        $tool x -o x
        same x plain
        # through a link, and with others
        cp in x
        ln -sf x link
        $tool -o link x
        [ -L link ]
        same x plain
        rm x link
    done
    rm in plain
    [ -z "$(files_here)" ]
}

@test "rules are not written over" {
    printf 'main;work 100\n' >a
    for tool in proffilter profagg profsum; do
        printf 'name\twork\tplay\n' >rules
        try $tool --rules=rules -o rules a
        says 2 "$tool: rules is input and output at once"
        [ "$(cat rules)" = "$(printf 'name\twork\tplay')" ]
        run -2 bash -c "$tool --rules=rules a >rules"
        [ "$output" = "$tool: rules is input and output at once" ]
        # which is no file
        $tool -q --rules=builds -o builds a
        $tool -q --rules=builds -o builds a
    done
}

@test "-o may not name the input of a converter, under whatever name" {
    for tool in $(some_tools "$(grep ndjson <<<"$TOOLS")" ndjson2sqlite); do
        input_of $tool >in
        cp in other
        cp in before
        ln -s in link
        ln in hard
        mkdir d
        printf 'other\nd/../in\n' >list
        for pair in 'in in' 'in ./in' 'in link' 'link in' 'hard in' 'in hard'; do
            set -- $pair
            try $tool -o "$1" other "$2"
            says 2 "$tool: $2 is input and output at once"
            [ ! -s stdout ]
        done
        try $tool -o in --files-from list
        says 2 "$tool: d/../in is input and output at once"
        try $tool -o in --files-from - <list
        says 2 "$tool: d/../in is input and output at once"
        try $tool -o list --files-from list
        says 2 "$tool: list is input and output at once"
        try $tool -o in - <in
        says 2 "$tool: <stdin> is input and output at once"
        try $tool -o in <in
        says 2 "$tool: <stdin> is input and output at once"
        # before anything is read: what is missing is not seen
        try $tool -o in missing in
        says 2 "$tool: in is input and output at once"
        same in before
        # a list is still read as before
        echo other >list
        $tool -q -o in --files-from list
        $tool -q -o new --files-from list
        same in new
        rm -r in other before link hard d list new
        [ -z "$(files_here)" ]
    done
}

@test "-o names no input of any tool that makes something else of it" {
    echo content >x
    for tool in $EVERY_TOOL; do
        case $tool in
            profcat | profsort | prof1to2 | prof2to1 | profagg | proffilter) continue ;; # rows of rows
            profmodel) continue ;;                                                     # reads none
            profsql) try profsql -o x "SELECT 1" x ;;
            profdiff) try profdiff -o x y x ;;
            *) try $tool -o x x ;;
        esac
        says 2 "$tool: x is input and output at once"
        [ "$(cat x)" = content ]
    done
}

@test "-o may not name the input of a tool that shows what it reads" {
    input_of profcat >in
    cp in before
    refused() {  # tool argument ...
        try "$@" -o in in
        says 2 "$1: in is input and output at once"
        same in before
    }
    for tool in profsum profflame profplot 'profdiff in' 'profsql SELECT(1)'; do
        refused $tool
    done
}

@test "-o of profvalidate may name an input with --pass alone" {
    input_of profvalidate >in
    for options in '' --format=ndjson --any-order; do
        try profvalidate $options -o in in
        says 2 'profvalidate: in is input and output at once'
    done
    profvalidate --pass -o in in
    [ -s in ]
}

@test "standard output onto an input is refused, -o - too" {
    input_of profcat >x
    for options in '' '-o -'; do
        status=0
        profcat $options x >>x 2>stderr || status=$?
        : >stdout
        says 2 'profcat: x is input and output at once'
    done
}

@test "pprof is not written to a terminal, but for -f" {
    need_terminal
    input_of profcat >in
    ndjson2pprof -q in >plain
    said='ndjson2pprof: the output is binary, and standard output is a terminal: use -o FILE, or -f to write it here'
    for options in '' '-o /dev/tty' '-o -'; do
        script -qec "ndjson2pprof -q $options in 2>stderr; echo \$? >st" /dev/null >/dev/null </dev/null
        [ "$(cat st)" -eq 2 ]
        [ "$(cat stderr)" = "$said" ]
    done
    for option in -f --force; do
        script -qec "stty -opost; ndjson2pprof -q $option in" /dev/null >screen </dev/null
        same screen plain
    done
    # text is
    script -qec "stty -opost; profcat in" /dev/null >screen </dev/null
    same screen in
}

@test "-o keeps the mode of a file, a new one gets the usual" {
    input_of profcat >in
    for mode in 600 640 755; do
        echo old >x
        chmod $mode x
        profcat -o x in
        [ "$(stat -c %a x)" = $mode ]
    done
    rm x
    (umask 027; profcat -o x in)
    [ "$(stat -c %a x)" = 640 ]
}

@test "-o drops the bits that lend a file's owner its rights" {
    input_of profcat >in
    for mode in 4755 2755 6711; do
        echo old >x
        chmod $mode x
        profcat -o x in
        [ "$(stat -c %a x)" = ${mode:1} ]
    done
}

@test "-o follows symlinks and keeps them" {
    input_of profcat >in
    mkdir d
    echo old >d/real
    ln -s d/real near
    ln -s near far
    profcat -o far in
    [ "$(readlink far)" = near ]
    [ "$(readlink near)" = d/real ]
    same d/real in
    # one that leads nowhere yet
    ln -s d/new dangling
    profcat -o dangling in
    [ -L dangling ]
    same d/new in
    ls -A d | sort >names
    [ "$(tr '\n' ' ' <names)" = 'new real ' ]
}

@test "-o leaves other names of a file alone: it is a new file" {
    input_of profcat >in
    echo old >x
    ln x other
    profcat -o x in
    [ "$(cat other)" = old ]
    same x in
}

@test "-o writes a device directly" {
    input_of profcat >in
    profcat -o /dev/null in
    [ -c /dev/null ]
    [ -c /dev/full ] || skip "no /dev/full here"
    for tool in $WRITING; do
        input_of $tool >in
        try $tool -q -o /dev/full in
        says 3 "$tool: cannot write /dev/full: No space left on device"
    done
    [ -c /dev/full ]
}

@test "-o writes a pipe directly" {
    input_of profcat >in
    mkfifo pipe
    profcat -o pipe in 3>&- &
    cat pipe >got
    wait $!
    [ -p pipe ]
    same got in
    profcat -o /dev/stdout in | cat >got
    same got in
}

@test "-o in a folder that is not there, or is none, or is the file" {
    input_of profcat >in
    try profcat -o nowhere/x in
    says 3 'profcat: cannot write beside nowhere/x: No such file or directory'
    try profcat -o in/x in
    says 3 'profcat: cannot open in/x: Not a directory'
    mkdir d
    try profcat -o d in
    says 3 'profcat: cannot open d: Is a directory'
}

@test "-o in a folder or over a file that may not be written" {
    unless_root
    input_of profcat >in
    mkdir d
    chmod 555 d
    try profcat -o d/x in
    says 3 'profcat: cannot write beside d/x: Permission denied'
    echo old >x
    chmod 444 x
    try profcat -o x in
    says 3 'profcat: cannot write x: Permission denied'
    [ "$(cat x)" = old ]
}

@test "a full disk is a system error" {
    [ -c /dev/full ] || skip "no /dev/full here"
    for tool in $WRITING; do
        input_of $tool >in
        status=0
        $tool -q in >/dev/full 2>stderr || status=$?
        : >stdout
        says 3 "$tool: cannot write <stdout>: No space left on device"
    done
}

@test "a full disk behind -o leaves the file untouched" {
    plain_only "its output would be limited too"
    rprof2ndjson "$SAMPLES/plain.out" >in
    echo old >x
    # a limit on the size of files stands for the disk
    try bash -c 'trap "" XFSZ; ulimit -f 100; exec profcat -o x in'
    says 3 'profcat: cannot write x: File too large'
    [ "$(cat x)" = old ]
    [ "$(files_here | tr '\n' ' ')" = 'in x ' ]
    # its signal does not end the tool before it has said so
    try bash -c 'ulimit -f 100; exec profcat -o x in'
    says 3 'profcat: cannot write x: File too large'
    [ "$(cat x)" = old ]
    [ "$(files_here | tr '\n' ' ')" = 'in x ' ]
}

@test "-o leaves nothing behind, whatever else was written in memory" {
    input_of profcat >good
    echo '{"table":"functions"}' >bad
    mkdir d
    try profsort -o d/x good bad
    [ $status -eq 1 ]
    try profvalidate --any-order --format=ndjson -o d/x good missing
    says 3 'profvalidate: cannot open missing: No such file or directory'
    [ -z "$(ls -A d)" ]
}

@test "-o leaves nothing behind when the last write fails" {
    plain_only "its output would be limited too"
    # less than a buffer: all of it is written when the output is closed
    input_of rprof2ndjson >in.out
    for i in {1..60}; do echo '"some_rather_long_name" "another_rather_long_name" '; done >>in.out
    rprof2ndjson in.out >in
    prof2to1 -q in >one
    mkdir d
    for command in 'prof2to1 -q' 'rprof2ndjson -q --profile-version=1.0' profsort 'prof1to2' profcat; do
        file=in
        case $command in rprof2ndjson*) file=in.out ;; prof1to2) file=one ;; esac
        try bash -c 'ulimit -f 1; exec "$@"' - $command -o d/x $file
        says 3 "${command%% *}: cannot write d/x: File too large"
        [ -z "$(ls -A d)" ]
    done
}

@test "a closed standard output is a system error" {
    for tool in $WRITING; do
        input_of $tool >in
        status=0
        $tool -q in >&- 2>stderr || status=$?
        : >stdout
        says 3 "$tool: cannot write <stdout>: Bad file descriptor"
        # but nobody needs it with -o
        status=0
        $tool -q -o x in >&- 2>stderr || status=$?
        says 0
    done
}

@test "a closed standard error is no error" {
    input_of ndjson2pprof >in
    status=0
    ndjson2pprof -o x in 2>&- || status=$?
    [ $status -eq 0 ]
    # nothing that was meant for it is in the file
    gunzip -t x
    gunzip -c x >text
    run ! grep -a 'not in ' text
}

@test "a reader that goes away ends a tool quietly" {
    # more rows than all pipes hold
    for i in {1..40}; do printf '%s\n' "$SAMPLES/everything.out" "$SAMPLES/deep.out"; done >list
    rprof2ndjson --files-from list >rows
    [ "$(wc -c <rows)" -gt 3000000 ]
    { rprof2ndjson -q --files-from list 2>stderr || echo $? >st; } | head -n 1 >stdout
    [ "$(cat st)" -eq 141 ]
    [ ! -s stderr ]
    rm st
    { profcat rows 2>stderr || echo $? >st; } | head -n 1 >stdout
    [ "$(cat st)" -eq 141 ]
    [ ! -s stderr ]
}

@test "even where SIGPIPE was ignored" {
    # more than the pipe holds
    { input_of profcat | sed '$d'; printf '{"table":".x","a":"%0*d"}\n' 3000000 0; echo '{"table":".end"}'; } >in
    { trap '' PIPE; profcat in 2>stderr || echo $? >st; } | true
    [ ! -s stderr ]
    [ "$(cat st)" -eq 141 ]
}

# Starts a tool that has read some of its input and waits for more.
start_waiting() {  # tool
    mkfifo pipe
    listening $1 -q -o x pipe 3>&- 2>stderr &
    pid=$!
    exec 7>pipe
    input_of $1 | sed '$d' >&7
    wait_until sh -c "ls .profpipe.* >/dev/null 2>&1"
}

@test "signals remove the unfinished file and leave the old one untouched" {
    for tool in $WRITING; do
        for signal in TERM HUP; do
            echo old >x
            start_waiting $tool
            kill -$signal $pid
            status=0
            wait $pid || status=$?
            exec 7>&-
            [ $status -eq $((128 + $(kill -l $signal))) ]
            [ "$(cat x)" = old ]
            rm pipe stderr x
            [ -z "$(files_here)" ]
        done
    done
}

@test "an interrupt too" {
    # a shell's background processes ignore it, unless that shell controls jobs
    cat >job <<'END'
set -m
profcat -q -o x pipe &
exec 7>pipe
printf '{"table":"meta","key":"version","value":"2.0"}\n' >&7
for i in $(seq 12000); do ls .profpipe.* >/dev/null 2>&1 && break; sleep 0.01; done
ls -A >during
kill -INT $!
wait $!
echo $? >st
END
    echo old >x
    mkfifo pipe
    (listening bash job) 3>&- 2>/dev/null
    grep -q '^[.]profpipe[.]' during
    [ "$(cat st)" -eq 130 ]
    [ "$(cat x)" = old ]
    [ "$(files_here | tr '\n' ' ')" = 'during job pipe st x ' ]
}

@test "an ignored signal stays ignored" {
    input_of profcat >in
    mkfifo pipe
    (trap '' HUP; exec profcat -o x pipe) 3>&- &
    pid=$!
    exec 7>pipe
    sed '$d' in >&7
    wait_until sh -c 'ls .profpipe.* >/dev/null 2>&1'
    kill -HUP $pid
    tail -n 1 in >&7
    exec 7>&-
    wait $pid
    same x in
}

@test "equal input gives equal bytes" {
    rprof2ndjson "$SAMPLES"/*.out 2>/dev/null >a
    rprof2ndjson "$SAMPLES"/*.out 2>/dev/null >b
    same a b
    for options in '' --no-aggregate --canonical; do
        ndjson2pprof -q $options a >x.pb.gz
        sleep 0.01
        # another time, folder, file name and way in
        mkdir -p d
        (cd d; cat ../a | TZ=Asia/Tokyo TMPDIR=$T ndjson2pprof -q $options -o y; cmp y ../x.pb.gz)
    done
    # gzip's header: no name, no time
    [ "$(od -An -tx1 -N8 x.pb.gz | tr -d ' ')" = 1f8b080000000000 ]
}

@test "--no-aggregate needs its temporary folder for much, and leaves nothing there" {
    input_of ndjson2pprof >in
    TMPDIR=$T/none try ndjson2pprof -q --no-aggregate in
    says 0
    { echo sample.interval=20000; seq 30000 | sed 's/.*/"f" "g" /'; } | rprof2ndjson >in
    mkdir tmp
    TMPDIR=$T/tmp try ndjson2pprof -q --no-aggregate in
    says 0
    [ -z "$(ls -A tmp)" ]
    TMPDIR=$T/none try ndjson2pprof -q --no-aggregate in
    says 3 "ndjson2pprof: cannot make a temporary file in $T/none: No such file or directory"
    # with --types samples go out as they come, and need none
    TMPDIR=$T/none try ndjson2pprof -q --no-aggregate --types=samples/count in
    says 0
}

# Files of every format but rows, also in gzip, and one that is reached by a link.
other_formats() {
    local format
    OTHERS=$(grep -vx rows "$ROOT/src/formats/list")
    for format in $OTHERS; do
        input_of ${format}2ndjson >$format
        gzip -c $format >$format.gz
    done
    ln -s pprof link
}

@test "rows may be replaced by what is read of them, files of other formats not" {
    takes_long
    other_formats
    profcat pprof >rows
    cp rows rows.before
    mkdir before
    cp $OTHERS ./*.gz before
    for tool in profcat prof1to2 prof2to1 profsort 'profvalidate --pass'; do
        for file in $OTHERS *.gz link; do
            echo $file >list
            printf 'rows\n%s\n' $file >list2
            # how inputs are named is the same code in all of them
            commands=("$file" "rows $file" '--files-from=list' '--files-from=list2' "- <$file")
            [ "$tool" = profcat ] || [ -n "${PROFPIPE_LONG-}" ] || commands=("rows $file")
            for command in "${commands[@]}"; do
                name=$file
                [ "${command:0:1}" != - ] || [ "${command:1:1}" = - ] || name='<stdin>'
                try bash -c "$tool -o $file $command"
                says 2 "${tool%% *}: $name is input and output at once: only profile rows may be"
                [ ! -s stdout ]
            done
            # nobody is left out who is the output
            [ "$tool" = 'profvalidate --pass' ] || {
                echo garbage >bad
                try $tool -o $file -k bad $file
                [ $status -eq 2 ]
                [ "$(tail -n 1 stderr)" = "$tool: $file is input and output at once: only profile rows may be" ]
            }
        done
        $tool -o rows rows
        cp rows.before rows
    done
    for file in rprof* pprof*; do cmp $file before/$file; done
    profcat -o rows pprof rows
    profcat pprof rows.before | cmp - rows
    [ -L link ]
}

@test "a first input that fails leaves nothing on standard output, not even the start of gzip" {
    try ndjson2pprof missing
    [ "$status" -eq 3 ]
    [ ! -s stdout ]
}

@test "an output called as files of another format is wrong usage" {
    local input=$ROOT/samples/rprof/plain.out
    try proffilter --ignore=x -o x.pb.gz "$input"
    says 2 'proffilter: -o x.pb.gz: this tool writes profile rows, not a pprof file (proffilter ... | ndjson2pprof -o x.pb.gz)'
    try profsum -o x.pb.gz "$input"
    says 2 'profsum: -o x.pb.gz: this tool does not write a pprof file (ndjson2pprof does)'
    try ndjson2pprof -o x.speedscope.json "$input"
    says 2 'ndjson2pprof: -o x.speedscope.json: this tool does not write a speedscope file (ndjson2speedscope does)'
    [ -z "$(files_here)" ]
    # names that are not those of one format alone
    profsum -o x.out "$input"
    profsum --format=ndjson -o x.ndjson "$input"
    profcat -o x.perf "$input"
}

@test "no converter writes over what it reads" {
    local tool file
    for tool in $(grep '2ndjson$' <<<"$EVERY_TOOL"); do
        file=$("$ROOT/tests/samples" "${tool%2ndjson}" | head -n 1)
        cp "$file" copy
        try "$tool" -o copy copy
        says 2 "$tool: copy is input and output at once"
        same copy "$file"
    done
}
