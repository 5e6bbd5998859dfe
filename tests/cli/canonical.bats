#!/usr/bin/env bats
# The same samples give the same bytes, in whatever order and grouping they came.
load helpers

@test "cat, profcat and both the other way round agree under --canonical" {
    for pair in 'plain lines' 'memory everything' 'odd-names latin1' 'appended torn' 'deep toplevel' 'plain plain'; do
        read -r a b <<<"$pair"
        rprof2ndjson -q "$SAMPLES/$a.out" >a.ndjson
        rprof2ndjson -q "$SAMPLES/$b.out" >b.ndjson
        cat a.ndjson b.ndjson | ndjson2pprof -q --canonical >one
        profcat a.ndjson b.ndjson | ndjson2pprof -q --canonical >two
        cat b.ndjson a.ndjson | ndjson2pprof -q --canonical >three
        profcat b.ndjson a.ndjson | ndjson2pprof -q --canonical >four
        ndjson2pprof -q --canonical b.ndjson a.ndjson >five
        for other in two three four five; do
            cmp one $other || fail "$pair: $other"
        done
    done
}

@test "cat a b | X gives what profcat a b | X gives, without --canonical too" {
    rprof2ndjson -q "$SAMPLES/everything.out" "$SAMPLES/appended.out" >a.ndjson
    rprof2ndjson -q "$SAMPLES/lines.out" >b.ndjson
    profcat a.ndjson b.ndjson >merged
    cat a.ndjson b.ndjson | profcat >other
    same merged other
    # what is merged stays as it is
    profcat merged >other
    same merged other
    for options in '' --no-aggregate '--types=cpu/nanoseconds'; do
        ndjson2pprof -q $options merged >one
        cat a.ndjson b.ndjson | ndjson2pprof -q $options >two
        ndjson2pprof -q $options a.ndjson b.ndjson >three
        same one two
        same one three
    done
}

@test "grouping does not matter" {
    for name in plain memory odd-names; do
        rprof2ndjson -q "$SAMPLES/$name.out" >$name
    done
    profcat plain memory odd-names >all
    profcat plain memory | profcat - odd-names >left
    profcat memory odd-names | profcat plain - >right
    same all left
    same all right
}

@test "the order of samples does not matter" {
    { head -n 1 "$SAMPLES/plain.out"; tail -n +2 "$SAMPLES/plain.out" | sort; } >sorted
    { head -n 1 "$SAMPLES/plain.out"; tail -n +2 "$SAMPLES/plain.out" | sort -r; } >backwards
    for file in "$SAMPLES/plain.out" sorted backwards; do
        rprof2ndjson <"$file" | ndjson2pprof -q --canonical >"$(basename "$file").gz"
    done
    same plain.out.gz sorted.gz
    same plain.out.gz backwards.gz
}

@test "ids, the order of definitions and of types do not matter" {
    cat >a.ndjson <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":1}
{"table":"sources","source_id":2,"source_type":"x","source_uri":"v","source_timestamp":null}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"functions","function_id":2,"name":"g","system_name":"g","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":1}
{"table":"locations","location_id":2,"function_id":2,"line":null}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","str":"a"}]}
{"table":"sample_values","sample_id":1,"type":"n","unit":"count","value":1}
{"table":"sample_values","sample_id":1,"type":"b","unit":"bytes","value":2}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2}
{"table":"samples","sample_id":2,"source_id":2,".labels":[{"key":"k","num":1}]}
{"table":"sample_values","sample_id":2,"type":"n","unit":"count","value":4}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":2}
END
    cat >b.ndjson <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":9,"source_type":"x","source_uri":"v","source_timestamp":null}
{"table":"sources","source_id":5,"source_type":"x","source_uri":"u","source_timestamp":1}
{"table":"functions","function_id":7,"name":"g","system_name":"g","filename":"","start_line":0}
{"table":"locations","location_id":3,"function_id":7,"line":null}
{"table":"samples","sample_id":1,"source_id":9,".labels":[{"num":1,"key":"k"}]}
{"table":"sample_values","sample_id":1,"type":"n","unit":"count","value":4}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":3}
{"table":"functions","function_id":6,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":2,"function_id":6,"line":1}
{"table":"samples","sample_id":4,"source_id":5,".labels":[{"key":"k","str":"\u0061"}]}
{"table":"sample_values","sample_id":4,"type":"b","unit":"bytes","value":2}
{"table":"sample_values","sample_id":4,"type":"n","unit":"count","value":1.0}
{"table":"sample_locations","sample_id":4,"depth":1,"location_id":2}
{"table":"sample_locations","sample_id":4,"depth":2,"location_id":3}
END
    ndjson2pprof -q --canonical a.ndjson -o a.pb.gz
    ndjson2pprof -q --canonical b.ndjson -o b.pb.gz
    same a.pb.gz b.pb.gz
}

@test "sources: every one is kept, with its provenance" {
    rprof2ndjson -q --timestamp=5 "$SAMPLES/appended.out" >a.ndjson
    rprof2ndjson -q "$SAMPLES/plain.out" >b.ndjson
    profcat a.ndjson b.ndjson a.ndjson >merged
    [ "$(grep -c '"table":"sources"' merged)" -eq 7 ]
    # all but the id as it was, in order
    strip() { grep -h '"table":"sources"' "$@" | sed 's/"source_id":[0-9]*,//'; }
    diff <(strip merged) <(strip a.ndjson b.ndjson a.ndjson)
    # and each sample with its own: counts by source
    by_source() { sed -n 's/^{"table":"samples".*"source_id":\([0-9]*\).*/\1/p' "$@" | sort -n | uniq -c | awk '{ print $1 }'; }
    diff <(by_source merged) <(by_source a.ndjson; by_source b.ndjson; by_source a.ndjson)
}

# pair KIND A B [VALUE]: rows of two samples whose stacks or labels are the same but for two things of a
# KIND, which have the members A and B. The first sample counts VALUE, 1 or 2, the other the rest of 3.
pair() {
    local a=$2 b=$3 value=${4-1}
    local function='"name":"f","system_name":"s","filename":"x","start_line":1' location='"function_id":1,"line":1'
    local functions=("$function" "$function") locations=("$location" "$location") labels=('' '') mappings=('' '')
    case $1 in
        mapping)  mappings=("$a" "$b") locations=("$location,\".mapping_id\":1" "$location,\".mapping_id\":2") ;;
        function) functions=("$a" "$b") locations=('"function_id":1,"line":1' '"function_id":2,"line":1') ;;
        location) locations=("$a" "$b") functions=("$function" "${function/f/g}") mappings=('"filename":"m"' '"filename":"n"') ;;
        labels)   labels=(",$a" ",$b") ;;
        stack)    functions=("$function" "${function/f/g}") locations=("$location" '"function_id":2,"line":1') ;;
    esac
    printf '{"table":"meta","key":"version","value":"2.0"}\n'
    printf '{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":null,".pprof":{}}\n'
    local i
    for i in 0 1; do [ -z "${mappings[i]}" ] || printf '{"table":".mappings","mapping_id":%d,%s}\n' $((i + 1)) "${mappings[i]}"; done
    for i in 0 1; do printf '{"table":"functions","function_id":%d,%s}\n' $((i + 1)) "${functions[i]}"; done
    [ $1 != location ] || printf '{"table":"locations","location_id":9,"function_id":2,"line":7}\n'
    for i in 0 1; do printf '{"table":"locations","location_id":%d,%s}\n' $((i + 1)) "${locations[i]}"; done
    for i in 0 1; do
        printf '{"table":"samples","sample_id":%d,"source_id":1%s}\n' $((i + 1)) "${labels[i]}"
        printf '{"table":"sample_values","sample_id":%d,"type":"t","unit":"count","value":%d}\n' $((i + 1)) $value
        value=$((3 - value))
        case $1 in
            stack)  [ $i -eq 0 ] && stack=$a || stack=$b ;;
            labels) stack=1 ;;
            location) stack="$((i + 1)) 9" ;;
            *)      stack=$((i + 1)) ;;
        esac
        local depth=0 id
        for id in $stack; do
            depth=$((depth + 1))
            printf '{"table":"sample_locations","sample_id":%d,"depth":%d,"location_id":%d}\n' $((i + 1)) $depth $id
        done
    done
}

@test "whatever two things differ in decides their order" {
    f='"name":"f","system_name":"s","filename":"x","start_line":1'
    l='"function_id":1,"line":1'
    unknown='".pprof_unknown":"980601"' other='".pprof_unknown":"980602"'
    while IFS='|' read -r kind a b options; do
        pair $kind "$a" "$b" 1 >one
        pair $kind "$b" "$a" 2 >two
        ndjson2pprof -q --canonical $options one >x.pb.gz
        ndjson2pprof -q --canonical $options two >y.pb.gz
        cmp x.pb.gz y.pb.gz || fail "$kind: $a, $b"
        # they have not become one
        [ "$(pprof2ndjson x.pb.gz | grep -c '"table":"samples"')" -eq 2 ] || fail "$kind: $a, $b are one"
    done <<END
mapping|"filename":"a"|"filename":"b"
mapping|"filename":"a","build_id":"a"|"filename":"a","build_id":"b"
mapping|"filename":"a","memory_start":"0x0"|"filename":"a","memory_start":"0x1"|--keep-addresses
mapping|"filename":"a","memory_limit":"0x1000"|"filename":"a","memory_limit":"0x2000"
mapping|"filename":"a","file_offset":"0x1"|"filename":"a","file_offset":"0x2"
mapping|"filename":"a","has_functions":true|"filename":"a","has_functions":false|--keep-addresses
mapping|"filename":"a","has_filenames":true|"filename":"a","has_filenames":false|--keep-addresses
mapping|"filename":"a","has_line_numbers":true|"filename":"a","has_line_numbers":false|--keep-addresses
mapping|"filename":"a","has_inline_frames":true|"filename":"a","has_inline_frames":false|--keep-addresses
mapping|"filename":"a","unknown":"980601"|"filename":"a","unknown":"980602"
function|${f/\"f\"/\"g\"}|$f
function|${f/\"s\"/\"t\"}|$f
function|${f/\"x\"/\"y\"}|$f
function|${f/:1/:2}|$f
function|$f,$unknown|$f,$other
location|${l/:1/:2}|$l
location|${l/%:1/:2}|$l
location|$l,".column":2|$l
location|$l,".pprof_line_unknown":"980601"|$l,".pprof_line_unknown":"980602"
location|$l,".mapping_id":2|$l,".mapping_id":1
location|$l,".address":"0x2"|$l,".address":"0x1"
location|$l,".is_folded":true|$l
location|$l,$unknown|$l,$other
location|$l,".inlined_into":9|$l
labels|".labels":[{"key":"a","str":"x"}]|".labels":[{"key":"b","str":"x"}]
labels|".labels":[{"key":"a","str":"x"}]|".labels":[{"key":"a","str":"y"}]
labels|".labels":[{"key":"a","num":1}]|".labels":[{"key":"a","num":2}]
labels|".labels":[{"key":"a","num":1,"unit":"x"}]|".labels":[{"key":"a","num":1,"unit":"y"}]
labels|".labels":[{"key":"a","num":1,"unknown":"980601"}]|".labels":[{"key":"a","num":1,"unknown":"980602"}]
labels|".labels":[{"key":"a","num":1}]|".labels":[{"key":"a","num":1},{"key":"a","num":1}]
labels|$unknown|$other
stack|1|2
stack|1 2|2 1
stack|1 1|1
END
}

@test "the order in which types come does not matter, but for the one that is shown" {
    types() {  # TYPE …
        local type list=
        for type; do list+="${list:+,}{\"type\":\"$type\",\"unit\":\"count\"}"; done
        printf '{"table":"meta","key":"version","value":"2.0"}\n'
        printf '{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":null,".pprof":{},".value_types":[%s]}\n' "$list"
        printf '{"table":"samples","sample_id":1,"source_id":1}\n'
        for type in a b c; do printf '{"table":"sample_values","sample_id":1,"type":"%s","unit":"count","value":1}\n' $type; done
    }
    types a b c | ndjson2pprof -q --canonical >x
    types b a c | ndjson2pprof -q --canonical >y
    types a c b | ndjson2pprof -q --canonical >z
    same x y
    run ! cmp x z
    [ "$(pprof2ndjson z | grep -o '"type":"."' | head -n 3 | tr -d '\n')" = '"type":"a""type":"c""type":"b"' ]
    # c is shown, and b: the least stands, last
    { types a b c; types c a b; } | ndjson2pprof -q --canonical >x
    { types c a b; types a b c; } | ndjson2pprof -q --canonical >y
    same x y
    [ "$(pprof2ndjson x | grep -o '"type":"."' | head -n 3 | tr -d '\n')" = '"type":"a""type":"c""type":"b"' ]
}

# The number below N that follows in a sequence which is always the same.
draw() {  # N
    seed=$(((seed * 69069 + 12345) % 4294967296))
    drawn=$((seed / 65536 % $1))
}

# Merges these files in groups drawn at random, each group in the same way, and names the result in $merged.
merge_in_groups() {  # file ...
    local first=1 last parts=()
    while [ $first -le $# ]; do
        draw $#
        last=$((first + drawn < $# ? first + drawn : $#))
        if [ $first -eq 1 ] && [ $last -eq $# ] && [ $# -gt 1 ]; then
            last=$((last - 1))
        fi
        if [ $last -gt $first ]; then
            merge_in_groups "${@:first:last - first + 1}"
            parts+=("$merged")
        else
            parts+=("${!first}")
        fi
        first=$((last + 1))
    done
    merged=group-$((++groups)).pb.gz
    ndjson2pprof -q --canonical -o $merged "${parts[@]}"
}

@test "files merged in any groups, and these again, are those merged at once, whatever their formats" {
    local files=() file seed=1 groups=0 drawn i j
    for file in rprof/everything.out rprof/memory.out rprof/plain.out rprof/plain.out rprofmem/words.out folded/plain.folded \
        pprof/go-cpu.pb.gz pprof/cpp-cpu.pb.gz speedscope/words.speedscope.json perf/chain.txt cpuprofile/words.cpuprofile \
        jfr/words.jfr callgrind/cache.callgrind; do
        files+=("$ROOT/samples/$file")
    done
    ndjson2pprof -q --canonical -o flat.pb.gz "${files[@]}"
    for i in 1 2 3 4 5 6 7 8 9 10; do
        for ((j = ${#files[@]} - 1; j > 0; j--)); do
            draw $((j + 1))
            file=${files[j]}
            files[j]=${files[drawn]}
            files[drawn]=$file
        done
        merge_in_groups "${files[@]}"
        same flat.pb.gz $merged
    done
    [ $groups -gt 20 ]
    # a file that comes twice has nothing that is distinct
    ndjson2pprof -q --canonical -o a.pb.gz "$SAMPLES/everything.out"
    ndjson2pprof -q --canonical -o b.pb.gz a.pb.gz "$SAMPLES/everything.out"
    [ "$(pprof2ndjson b.pb.gz | grep -c '"table":"samples"')" -eq "$(pprof2ndjson a.pb.gz | grep -c '"table":"samples"')" ]
}

# Rows of a process of a program with a build ID, one without, and memory without a name, where BASE is added to
# all addresses.
process() {  # BASE [MEMBERS]
    local members=${2-} i
    at() { printf '"0x%x"' $(($1 + $2)); }
    printf '{"table":"meta","key":"version","value":"2.0"}\n'
    printf '{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":null,".pprof":{}}\n'
    printf '{"table":".mappings","mapping_id":7,"memory_start":%s,"memory_limit":%s,"file_offset":"0x1000","filename":"/bin/a","build_id":"abc"%s}\n' \
        "$(at $1 0x1000)" "$(at $1 0x2100)" "$members"
    printf '{"table":".mappings","mapping_id":8,"memory_start":%s,"memory_limit":%s,"filename":"/lib/b"}\n' "$(at $1 0x9000)" "$(at $1 0xa000)"
    printf '{"table":".mappings","mapping_id":9,"memory_start":%s,"memory_limit":%s,"filename":""}\n' "$(at $1 0xb000)" "$(at $1 0xc000)"
    printf '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"f.c","start_line":0}\n'
    printf '{"table":"locations","location_id":1,"function_id":1,"line":1,".mapping_id":7,".address":%s}\n' "$(at $1 0x1010)"
    printf '{"table":"locations","location_id":2,"function_id":null,"line":null,".address":%s,".mapping_id":8}\n' "$(at $1 0x9010)"
    printf '{"table":"locations","location_id":3,"function_id":null,"line":null,".mapping_id":9,".address":%s}\n' "$(at $1 0xb010)"
    printf '{"table":"locations","location_id":4,"function_id":1,"line":2,".mapping_id":7}\n'
    printf '{"table":"locations","location_id":5,"function_id":1,"line":2,".address":"0x1010"}\n'
    for i in 1 2 3 4 5; do
        printf '{"table":"samples","sample_id":%d,"source_id":1}\n' $i
        printf '{"table":"sample_values","sample_id":%d,"type":"t","unit":"count","value":1}\n' $i
        printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":%d}\n' $i $i
    done
}

@test "--unite-addresses: a program that each process has elsewhere is one, as for ndjson2pprof" {
    process 0 ',"has_functions":true' >a
    process 0x7f0000000000 >b
    process 0xffffffffffff0000 >c
    profcat --unite-addresses a b c >rows
    profvalidate rows
    # memory without a name is three mappings, with a location each
    [ "$(grep -c '"table":".mappings"' rows)" -eq 5 ]
    [ "$(grep -c '"table":"locations"' rows)" -eq 7 ]
    grep -qF '"filename":"/bin/a","build_id":"abc","has_functions":true' rows
    [ "$(profcat a b c | grep -c '"table":"locations"')" -eq 13 ]
    profagg -q --across-sources --unite-addresses a b c >added
    [ "$(grep -c '"table":"samples"' added)" -eq 7 ]
    ndjson2sqlite -q --unite-addresses -o x.db a b c
    [ "$(profsql --db=x.db -q 'select count(*) from locations' | tail -n 1)" -eq 7 ]
    profsum -q --by=address --unite-addresses --format=tsv a b c >found
    [ "$(column address self <found | grep -c $'^0x[19]010\t3$')" -eq 3 ]
    profdiff -q --by=address --unite-addresses --format=tsv a -- b c >found
    [ "$(column address base new <found | grep -c $'^0x[19]010\t1\t1$')" -eq 3 ]
    # what ndjson2pprof adds up is the same
    ndjson2pprof -q --canonical added >one.pb.gz
    ndjson2pprof -q --canonical a b c >two.pb.gz
    ndjson2pprof -q --canonical --unite-addresses a b c >three.pb.gz
    same one.pb.gz two.pb.gz
    same one.pb.gz three.pb.gz
}

@test "--unite-addresses goes by whole pages and by build IDs, and leaves memory without either where it is" {
    process 0 >a
    process 0x7f0000000000 | sed 's/"0x7f0000002100"/"0x7f0000003000"/' >b
    [ "$(profcat --unite-addresses a b | grep -c '"filename":"/bin/a"')" -eq 1 ]
    process 0x7f0000000000 | sed 's/"0x7f0000002100"/"0x7f0000003001"/' >b
    [ "$(profcat --unite-addresses a b | grep -c '"filename":"/bin/a"')" -eq 2 ]
    process 0 | sed 's,/bin/a,,' >a
    process 0x7f0000000000 | sed 's,/bin/a,,' >b
    [ "$(profcat --unite-addresses a b | grep -c '"build_id":"abc"')" -eq 1 ]
    # its mapping has the number of one that was moved before
    process 0x5000 | sed 's,/bin/a,,; s/,"build_id":"abc"//' >c
    profcat --unite-addresses a b c | grep -F '"0x6010"'
}

@test "a location without an address has none in a pprof file, wherever its mapping is" {
    process 0x1000 >a
    process 0x2000 >b
    ndjson2pprof -q a b -o x.pb.gz
    pprof2ndjson x.pb.gz | grep '"line":2' >found
    [ "$(wc -l <found)" -eq 2 ]
    [ "$(grep -c '".address"' found)" -eq 1 ]
}

@test "trees of 2,000 profiles, of any fan-in and in any order, are one merge of all" {
    takes_long
    need python3
    local name fan_in seed=0
    for name in go-cpu go-heap go-inline go-labels cpp-cpu; do
        pprof2ndjson -q "$ROOT/samples/pprof/$name.pb.gz" >$name.rows
    done
    mkdir in
    python3 "$BATS_TEST_DIRNAME/trees.py" vary 1 2000 in *.rows "$SAMPLES"/{everything,lines,memory,plain,deep}.out \
        "$ROOT"/samples/folded/{kernel,plain}.folded
    for name in '*' '*.pb.gz' '*.out' '*.folded'; do
        ndjson2pprof -q -1 --canonical -o flat in/$name
        for fan_in in 8 64 500 8 64; do
            python3 "$BATS_TEST_DIRNAME/trees.py" merge $((seed += 1)) $fan_in tree in/$name
            cmp flat tree || fail "$name: a tree of up to $fan_in, seed $seed"
        done
    done
}
