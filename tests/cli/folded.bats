#!/usr/bin/env bats
# Folded stacks: there and back, two columns, encodings, and against what shows them.
load helpers

FOLDED=$ROOT/samples/folded

# What the lines of folded stacks come to, equal ones added up, by awk.
added_up() {  # file
    awk '{ n = $NF; sub(/[ \t][0-9]+$/, ""); sums[$0] += n } END { for (s in sums) print s " " sums[s] }' "$1" |
        LC_ALL=C sort
}

# Folded stacks from a small grammar of odd frames, the same for the same seed.
odd_stacks() {  # seed lines
    awk -v seed="$1" -v lines="$2" 'BEGIN {
        n = split("a|b|a b|f_[k]|g_[i]|h_[j]|x_[w]| y|z |\t|a:b|a_|_[i]|<T>|\"q\"|\303\251|9|a 1x|\\", frames, "|")
        frames[++n] = ""
        srand(seed)
        while (lines-- > 0) {
            depth = 1 + int(rand() * 6)
            line = frames[1 + int(rand() * n)]
            while (--depth > 0) line = line ";" frames[1 + int(rand() * n)]
            print line " " int(rand() * 10)
        }
    }'
}

@test "folded stacks come back byte for byte, sorted and added up" {
    for seed in 1 2 3; do odd_stacks $seed 3000 >odd$seed; done
    count=0
    for file in "$FOLDED"/*.folded odd*; do
        added_up "$file" >expected
        folded2ndjson "$file" | ndjson2folded --lossless | same expected -
        ndjson2folded --lossless "$file" | same expected -
        # and once more
        ndjson2folded --lossless expected | same expected -
        # in their own order, not added up
        ndjson2folded --lossless --no-aggregate "$file" | same "$file" -
        count=$((count + 1))
    done
    [ $count -ge 5 ]
}

@test "rows come back, in all that folded stacks hold" {
    odd_stacks 4 2000 >odd
    ndjson2folded odd >sorted
    folded2ndjson --source-uri=x sorted >rows
    profvalidate rows
    # each row once more the same, by way of text, by way of the merge
    ndjson2folded rows | folded2ndjson --source-uri=x | same rows -
    profcat rows | ndjson2folded | folded2ndjson --source-uri=x | same rows -
    # R's stacks have nothing else
    ndjson2folded "$SAMPLES/plain.out" >plain
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2folded | same plain -
    folded2ndjson plain | ndjson2folded | same plain -
    [ "$(awk '{ sum += $NF } END { print sum }' plain)" -eq "$(grep -c '"table":"samples"' < <(rprof2ndjson "$SAMPLES/plain.out"))" ]
}

@test "two columns come back, and are those of two files" {
    odd_stacks 5 500 >one
    odd_stacks 6 500 >two
    ndjson2folded one >one.sums
    ndjson2folded two >two.sums
    # as difffolded.pl puts them beside each other
    awk '{ n = $NF; sub(/ [0-9]+$/, "") }
        FNR == NR { a[$0] = n; all[$0]; next }
        { b[$0] = n; all[$0] }
        END { for (s in all) print s " " a[s] + 0 " " b[s] + 0 }' one.sums two.sums | LC_ALL=C sort >expected
    ndjson2folded one -- two | same expected -
    folded2ndjson one >one.ndjson
    ndjson2folded one.ndjson -- two | same expected -
    # back from the text
    ndjson2folded --lossless expected | same expected -
    folded2ndjson expected | profcat | ndjson2folded --lossless | same expected -
    # several on each side
    ndjson2folded one two -- two one | awk '$NF != $(NF - 1)' >differ
    [ ! -s differ ]
    # what is left out leaves the others on their sides
    echo 'garbage' >bad
    try ndjson2folded -q -k bad one bad -- bad two
    [ $status -eq 1 ]
    same expected stdout
}

@test "however it is encoded, and lines end" {
    printf 'f;g\303\251 1\n# x\nf 2\nf;\360\237\224\245;h 3\n' >plain
    folded2ndjson --source-uri=x plain >rows
    sed 's/$/\r/' plain >crlf
    { printf '\357\273\277'; cat plain; } >marked
    iconv -f UTF-8 -t UTF-16LE marked >little
    iconv -f UTF-8 -t UTF-16BE marked >big
    gzip -c little >little.gz
    for file in crlf marked little big little.gz; do
        try folded2ndjson --source-uri=x $file
        says 0
        same stdout rows
        # known by content
        ndjson2folded $file | same - <(ndjson2folded plain)
    done
    tr ' ' '\t' <plain | folded2ndjson --source-uri=x | same rows -
}

@test "it is known by a stack of several frames" {
    for text in 'f;g 1\n' 'f 1\nf;g 2\n' '# x\n\nf 1\nf;g 2\n' 'f;g 1' 'f;g 1\ngarbage' 'f;g 1.5\n'; do
        printf "$text" >x
        try profcat -q x
        [ "$(sed -n 2p stdout | grep -c '"source_type":"folded"')" -eq 1 ]
    done
    # however far that is, and however slowly it comes
    { echo "# $(seq 1 500 | tr '\n' ' ')"; seq 1 3000 | sed 's/.*/f & x 1/'; echo 'f;g 2'; } >x
    profcat x >rows
    (while read -r line; do printf '%s\n' "$line"; done <x) | profcat | sed 's/"source_uri":null/"source_uri":"x"/' | same rows -
    { head -c 3000 /dev/zero | tr '\0' a; echo ';b 1'; } >x
    profcat x >rows
    # without one only its own converter takes it
    for text in 'f 1\n' 'hello world 1\nhello 2\n' '# x\n' '\n# x\nf 1\n'; do
        printf "$text" >x
        try profcat x
        [ $status -eq 1 ]
        grep -q '^profcat: x: expected a profile, found text that begins ' stderr
        try folded2ndjson x
        says 0
    done
    # and nothing takes what is something else
    for text in 'f;g\n' 'f;g x\n' 'f;g' 'int f(void);\nf;g 1\n' '{"a;b": 1}\n' '<p>a;b</p>\n' '# T\n\na; b 1.\nx 3.4.5\n'; do
        printf "$text" >x
        for tool in profcat folded2ndjson; do
            try $tool x
            [ $status -eq 1 ]
        done
    done
}

@test "the values of one type: what pprof shows, or what is asked for" {
    need go
    for sample in "$ROOT"/samples/pprof/*.pb.gz; do
        ndjson2folded -q "$sample" | awk '{ sum += $NF } END { printf "%d\n", sum }' >found
        go tool pprof -raw "$sample" 2>/dev/null | awk '
            /^Samples:/ { getline; for (i = 1; i <= NF; i++) if ($i ~ /\[dflt\]/) at = i; if (!at) at = NF; on = 1; next }
            /^Locations/ { on = 0 }
            on { sub(/:.*/, ""); n = split($0, v, " "); if (n && v[1] ~ /^-?[0-9]+$/) sum += v[at] }
            END { printf "%d\n", sum }' | same found -
    done
    heap=$ROOT/samples/pprof/go-heap.pb.gz
    for type in alloc_objects alloc_space/bytes inuse_objects inuse_space; do
        pprof2ndjson "$heap" | grep "^{\"table\":\"sample_values\".*\"type\":\"${type%/*}\"" |
            awk -F '"value":' '{ sum += $2 } END { printf "%d\n", sum }' >expected
        [ "$(cat expected)" -gt 0 ]
        ndjson2folded -q --type=$type "$heap" | awk '{ sum += $NF } END { printf "%d\n", sum }' | same expected -
    done
}

@test "sums per function are the same by way of folded stacks" {
    need go
    top() { go tool pprof -top -nodecount=100000 -nodefraction=0 -unit=minimum "$@" 2>/dev/null | sed '1,/flat%/d' | awk '{ flat = $1; cum = $4; $1 = $2 = $3 = $4 = $5 = ""; print flat, cum, $0 }' | sort; }
    for name in plain deep torn; do
        ndjson2pprof -q -o direct.pb.gz "$SAMPLES/$name.out"
        ndjson2folded -q "$SAMPLES/$name.out" | folded2ndjson | ndjson2pprof -q -o by-text.pb.gz
        top -sample_index=samples direct.pb.gz >expected
        [ "$(wc -l <expected)" -ge 2 ]
        top -sample_index=samples by-text.pb.gz | same expected -
    done
    for name in go-cpu go-inline go-labels; do
        sample=$ROOT/samples/pprof/$name.pb.gz
        ndjson2folded -q "$sample" | folded2ndjson --type=cpu/nanoseconds | ndjson2pprof -q -o by-text.pb.gz
        # flat sums are those of names alone there: no line is kept
        top -sample_index=cpu -functions "$sample" | awk '{ print $1, $2, $3 }' | sort >expected
        top -sample_index=cpu -functions by-text.pb.gz | sed 's/ (inline)//' | awk '{ print $1, $2, $3 }' | sort | same expected -
    done
}

@test "memory is what is distinct" {
    takes_long
    plain_only 'it needs memory'
    lines() { yes 'main;solve;dot product 3
main;read 12' | head -c "$1"; }
    for tool in folded2ndjson ndjson2folded profcat; do
        (ulimit -v 60000; lines 40000000 | $tool --threads=1 >/dev/null)
    done
    # and two columns wait on the disk
    yes 'main;solve;dot product 3 12' | head -c 60000000 >two
    (ulimit -v 60000; ndjson2folded -q --threads=1 two) >found
    [ "$(wc -l <found)" -eq 1 ]
}

@test "lines go out as they come" {
    mkfifo in
    folded2ndjson <in >out &
    exec 5>in
    echo 'f;g 1' >&5
    wait_until grep -q '"sample_id":1,"depth":2' out
    echo 'f;h 2' >&5
    wait_until grep -q '"sample_id":2,"depth":2' out
    exec 5>&-
    wait $!
    profvalidate out
}

@test "lines of Austin have files, lines, threads and times, as an independent count has them" {
    awk 'BEGIN {
        srand(7); print "# austin: 3.4.1\n# interval: 1000\n# mode: full"
        for (i = 0; i < 2000; i++) {
            line = "P1;T0:" int(rand() * 3) + 10
            for (n = int(rand() * 5); n > 0; n--)
                line = line ";/a:b/" int(rand() * 2) ".py:f" int(rand() * 3) ":" int(rand() * 3) + 1
            print line " " int(rand() * 900) "," int(rand() * 2) "," int(rand() * 100) - 50
        }
        print "# duration: 5"
    }' >a.austin
    awk -F'[;, ]' '/^P/ { wall = $(NF - 2)
        if (NF > 5) { self[$(NF - 3)] += wall; cpu[$(NF - 3)] += $(NF - 1) ? 0 : wall; memory[$(NF - 3)] += $NF }
        thread[substr($2, 4)] += wall }
        END { for (i in self) print i, self[i], cpu[i], memory[i]; for (i in thread) print i, thread[i] }' a.austin |
        sort >theirs
    folded2ndjson a.austin >rows.ndjson
    jq -r -n 'reduce inputs as $row ({}; if $row.table == "functions" then .f[$row.function_id | tostring] = $row
            elif $row.table == "locations" then .l[$row.location_id | tostring] = (.f[$row.function_id | tostring] | "\(.filename):\(.name):\($row.line)")
            elif $row.table == "samples" then .tid = ($row[".labels"][] | select(.key == "tid") | .num | tostring) | .v = {}
            elif $row.table == "sample_values" then .v[$row.type] = $row.value
                | if $row.type == "wall" then .thread[.tid] += $row.value else . end
            elif $row.table == "sample_locations" and $row.depth == 1 then .l[$row.location_id | tostring] as $at
                | .v as $v | .sum[$at].wall += $v.wall | .sum[$at].cpu += $v.cpu | .sum[$at].memory += $v.memory
            else . end)
        | (.sum | to_entries[] | "\(.key) \(.value.wall) \(.value.cpu) \(.value.memory)"), (.thread | to_entries[] | "\(.key) \(.value)")' \
        rows.ndjson | sort | diff theirs -
    [ "$(wc -l <theirs)" -eq 21 ]
    grep -qF '"table":".folded_austin","source_id":1,"line":2004,"text":"# duration: 5"' rows.ndjson
    profinfo a.austin | grep -q 'Austin 3.4.1'
}
