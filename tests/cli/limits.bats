# What a small input, or one that nobody sensible wrote, may cost.

load helpers

# A stream of one sample, with a location at each of the depths on standard input.
sample_with_depths() {
    cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"","source_uri":null,"source_timestamp":null}
{"table":"locations","location_id":1,"function_id":null,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
END
    awk '{ print "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":" $1 ",\"location_id\":1}" }'
}

# Runs profvalidate with the memory that it has without any findings, and a little.
validate_in_little() {
    try bash -c 'ulimit -v 30000; exec profvalidate --max-errors=2 "$@"' - "$@"
}

@test "profvalidate: a sample with one depth again and again takes no memory for each" {
    plain_only "it reserves terabytes"
    yes 1 | head -n 600000 | sample_with_depths >ones
    validate_in_little ones
    says 1 'ones:6: sample_locations.depth: 1 comes twice in sample 1 [unique]' \
        'ones:7: sample_locations.depth: 1 comes twice in sample 1 [unique]' \
        'profvalidate: findings: unique (599999); the first 2 are shown'
    yes 9223372036854775807 | head -n 600000 | sample_with_depths >large
    validate_in_little large
    says 1 'large:5: sample_locations.depth: expected 1, found 9223372036854775807: depths have no gaps [depth]' \
        'large:6: sample_locations.depth: 9223372036854775807 comes twice in sample 1 [unique]' \
        'profvalidate: findings: unique (599999), depth (1); the first 2 are shown'
}

@test "profvalidate: of very many depths out of place some wait, the others are judged at once" {
    plain_only "it reserves terabytes"
    seq 2 2 1200000 | sample_with_depths >gaps
    validate_in_little gaps
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: depth (600000); the first 2 are shown'
    # so many can wait for those before them, and not one more
    { seq 2 262144; echo 1; } | sample_with_depths >late
    validate_in_little late
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: order (1)'
    { seq 2 262146; echo 1; } | sample_with_depths >late
    validate_in_little late
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: order (1), depth (1)'
    profvalidate --any-order late
}

# --- samples of version 1.x ---

# A profile whose rows of samples stand for so many samples each.
version_1() {  # count ...
    cat <<'END'
{"table":"meta","key":"version","value":"1.0"}
{"table":"sample_types","type":"samples","unit":"count"}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
END
    printf '{"table":"samples","value":%s,"locations":[{"location_id":1}]}\n' "$@"
}

@test "a row of version 1.0 does not make samples without end" {
    version_1 5 9223372036854775807 >endless
    for command in prof1to2 profcat 'ndjson2pprof --no-aggregate' ndjson2rprof; do
        try $command endless
        says 1 "${command% *}: endless:6: grows by more than 134217728 bytes beyond what it spells out (--max-size sets the limit)"
    done
}

@test "rows of version 1.0 grow by 64 bytes a sample and 8 a frame beyond the first, for each input" {
    version_1 30 40 >a # 16 of a row are paid for by the 19 bytes of its stack: 13 and 23 more, 2592 bytes
    version_1 53 >b    # the same
    for command in prof1to2 profcat 'ndjson2pprof --no-aggregate' ndjson2rprof; do
        $command --max-size=2592 a b >x
        try $command --max-size=2591 a b
        says 1 "${command% *}: a:6: grows by more than 2591 bytes beyond what it spells out (--max-size sets the limit)"
    done
    # rows of version 2.0 hold what they stand for
    prof1to2 a | profcat --max-size=1 >x
}

# --- what else stands for more than it says ---

@test "a flame graph of very many types takes no time for all of all" {
    plain_only 'it limits time'
    need gen_worst
    gen_worst rows-sources 30000 >types
    # this took 17 seconds
    try bash -c 'ulimit -t 5; exec profflame -o x.html types'
    says 0 'profflame: not counted: 29999 sources without "1":  has 2;  has 3;  has 4; ...' \
        'profflame: not in the output: 29744 value types (101, 102, 103 ...; -v lists all)'
}

@test "what is too deep to be seen is no picture without end" {
    plain_only 'it limits memory'
    need gen_worst
    gen_worst pprof-square 1000 >square.pb
    for picture in x.svg x.html; do
        in_little 100000 profflame -o $picture square.pb # a million boxes took 230 MB
        says 0
    done
    [ "$(grep -c '<rect' x.svg)" -lt 100010 ]
    in_little 60000 ndjson2sqlite -o x.db square.pb
    says 1 'ndjson2sqlite: square.pb: grows by more than 33554432 bytes beyond what it spells out (--max-size sets the limit)'
}

# Runs a command with so little memory, in KiB, and seconds of a processor.
in_little() {  # KiB command ...
    try bash -c 'ulimit -v "$1" -t 20; shift; exec "$@"' - "$@"
}

@test "a sample has a million frames at most" {
    plain_only 'it limits memory'
    need gen_worst
    # inlined lines, as often as a sample says
    gen_worst pprof-square 1000 >square.pb
    [ "$(profcat square.pb | grep -c sample_locations)" -eq 1000000 ]
    gen_worst pprof-square 10000 >square.pb # this one took 0.87 GB
    for tool in profcat profsum ndjson2pprof; do
        in_little 100000 $tool square.pb
        says 1 "$tool: square.pb: offset 69903: expected at most 1000000 frames in a sample, found more"
    done
    # and where each is spelled out
    gen_worst folded-deep 1000000 >deep.folded
    profsum --by=function deep.folded >x
    gen_worst folded-deep 1000001 >deeper.folded
    try profsum deeper.folded
    says 1 'profsum: deeper.folded:1: expected at most 1000000 frames in a sample, found more'
    {
        printf '{"resources":{\n"f":{"amount":[1]}},"resource_type_map":{"f":{"type":"memory","trace":['
        yes '{"line":1},' | head -n 1000000
        echo '{"line":1}]}}}'
    } >deeper.perf
    try profsum deeper.perf
    says 1 'profsum: deeper.perf:2: column 1: expected at most 1000000 frames in a sample, found more'
    seq 1000002 | sample_with_depths >deeper.rows
    try profvalidate deeper.rows
    says 1 'deeper.rows:1000005: sample_locations.depth: expected at most 1000000 frames in a sample, found more [range]' \
        'profvalidate: findings: range (1)'
}

# A trace for speedscope of a program that is 1000 calls deep, and makes and ends 10000 more there.
deep_recursion() {
    awk 'function event(type, frame) { printf "%s{\"type\":\"%s\",\"frame\":%d,\"at\":%d}", n++ ? "," : "", type, frame, n }
        BEGIN {
            printf "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":["
            printf "{\"name\":\"walk\"},{\"name\":\"visit\"},{\"name\":\"check\"},{\"name\":\"compare\"}]},"
            printf "\"profiles\":[{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,"
            printf "\"endValue\":30000,\"events\":["
            for (depth = 0; depth < 1000; depth++) event("O", stack[depth] = depth % 2)
            for (i = 0; i < 10000; i++) {
                # some steps up and down, as a program does that goes through a tree
                if (int(i / 20) % 2) event("C", stack[--depth])
                else { stack[depth] = i * 7 % 4; event("O", stack[depth++]) }
                event("O", i % 4)
                event("C", i % 4)
            }
            while (depth > 0) event("C", stack[--depth])
            print "]}]}"
        }'
}

@test "a trace of deep recursion passes every tool, and stacks of an attack do not" {
    takes_long
    plain_only 'it limits memory'
    need gen_worst
    deep_recursion >deep.json
    [ "$(wc -c <deep.json)" -gt 900000 ]
    for tool in profsum 'profflame -o x.svg' 'ndjson2pprof -f' 'ndjson2sqlite -o x.db' 'ndjson2folded -q' profcat; do
        rm -f x.*
        in_little 150000 $tool --threads=1 deep.json
        says 0
    done
    # all frames that pass are counted, and none is held
    gen_worst speedscope-deep 7000 >deeper.json
    in_little 30000 profcat --threads=1 deeper.json
    says 1 'profcat: deeper.json: grows by more than 33554432 bytes beyond what it spells out (--max-size sets the limit)'
    # stacks that are held count, however few frames passed
    gen_worst speedscope-tips 2900 >tips.json
    profcat tips.json >/dev/null
    for tool in profsum 'profflame -o x.svg' profagg ndjson2folded 'ndjson2pprof -f' 'ndjson2perun' \
        'ndjson2speedscope --aggregate' 'profplot -o x.svg'; do
        in_little 150000 $tool --threads=1 tips.json
        says 1 "${tool%% *}: tips.json: grows by more than 33554432 bytes beyond what it spells out (--max-size sets the limit)"
    done
}

@test "what a file says once and means often is counted, whatever it is" {
    plain_only 'it limits memory'
    need gen_worst
    gen_worst pprof-cube 500 >cube.pb
    gen_worst pprof-long-string 20000 >string.pb
    gen_worst speedscope-deep 4000 >deep.json
    gen_worst perun-square 3000 >square.perf
    gen_worst rprof-long-file 50000 >file.out
    for file in *; do
        case $file in
            stderr | stdout) continue ;;
        esac
        in_little 200000 profsum --max-size=8M "$file"
        [ "$status" -eq 1 ]
        grep -qE "^profsum: $file(:[0-9]+)?: grows by more than 8388608 bytes beyond what it spells out [(]--max-size sets the limit[)]\$" stderr ||
            fail "$(cat stderr)"
        in_little 400000 profsum --max-size=1G "$file"
        says 0
    done
}

@test "a string that is the unit of very many types takes no memory for each" {
    plain_only 'it limits memory'
    need gen_worst
    gen_worst otlp-unit 50000 >x.otlp
    in_little 300000 profcat x.otlp
    says 1 'profcat: x.otlp: grows by more than 33554432 bytes beyond what it spells out (--max-size sets the limit)'
    gen_worst pprof-unit 50000 >x.pb
    in_little 300000 profcat x.pb
    says 1 'profcat: a row of "sources" would be longer than 16 MiB'
}

@test "names of events that become equal take no time for each pair of them" {
    plain_only 'it limits time'
    need gen_worst
    gen_worst rows-alike 16000 >rows
    try bash -c 'ulimit -t 5; exec ndjson2callgrind -q rows' # this took 36 seconds
    says 0
}

@test "what a file says once and refers to often takes no time for each reference" {
    plain_only 'it limits time'
    need gen_worst
    for kind in otlp-functions otlp-mappings pstats-name xctrace-references xdebug-name xdebug-runs; do
        gen_worst $kind 150000 >$kind
        try bash -c 'ulimit -t 5; exec profcat "$1"' - $kind
        says 0
    done
    # or is growth
    for kind in callgrind-name callgrind-totals; do
        gen_worst $kind 150000 >$kind
        try bash -c 'ulimit -t 5; exec profcat "$1"' - $kind
        [ "$status" -eq 1 ]
        grep -qE "^profcat: $kind:[0-9]+: grows by more than 33554432 bytes beyond what it spells out [(]--max-size sets the limit[)]\$" stderr ||
            fail "$(cat stderr)"
    done
}

@test "a merge of very many files takes no memory for each" {
    takes_long
    plain_only 'it limits memory'
    need protoc
    profcat "$ROOT/samples/pprof/go-labels.pb.gz" | ndjson2pprof -o x.pb.gz
    yes x.pb.gz | head -n 40000 >list
    in_little 40000 ndjson2pprof -q --threads=1 --files-from=list -o merged.pb.gz
    says 0
    # threads read them in rounds
    ndjson2pprof -q --threads=2 --files-from=list | cmp - merged.pb.gz
    profsum -q --format=tsv --type=cpu x.pb.gz | sed -n 2p | cut -f1,2 >one
    profsum -q --format=tsv --type=cpu merged.pb.gz | sed -n 2p | awk -F '\t' '{ printf "%s\t%d\n", $1, $2 / 40000 }' | same one -
    # nor where each is a source of its own in name
    printf 'f;g 1\n' >folded
    for i in {1..3}; do ln folded $i.folded; done
    ls *.folded | awk '{ for (i = 0; i < 10000; i++) print }' >list
    in_little 40000 ndjson2pprof -q --threads=1 --files-from=list -o merged.pb.gz
    says 0
    pprof2ndjson merged.pb.gz | grep -q '"filename":"1.folded, 2.folded, 3.folded"'
    # labels that number equal names take no time for each pair of them
    yes 1.folded | head -n 40000 >list
    timeout 15 ndjson2pprof -q --threads=1 --label-source=source --files-from=list -o merged.pb.gz
    pprof2ndjson merged.pb.gz | grep -q '"str":"1.folded#40000"'
}

@test "ndjson2pprof adds rows of version 1.0 up without repeating them" {
    version_1 9223372036854775806 1 >most
    ndjson2pprof most | gunzip >x.pb
    pprof2ndjson x.pb | grep -F '"value":9223372036854775807}'
    version_1 9223372036854775807 1 >too-many
    try ndjson2pprof too-many
    [ "$status" -eq 1 ]
    grep -q 'f.*64 bits' stderr || fail "$(cat stderr)"
    # and makes of them what it makes of the samples that they are
    for name in everything plain memory lines; do
        rprof2ndjson -q --profile-version=1.0 "$SAMPLES/$name.out" >old
        for options in '' --canonical --no-aggregate; do
            ndjson2pprof -q $options old | same - <(prof1to2 old | ndjson2pprof -q $options)
        done
    done
}

# --- values in a line ---

# A profile with a row of so many values: the row itself, its table's name, a list, and what that holds.
row_of_values() {  # count item [space]
    echo '{"table":"meta","key":"version","value":"2.0"}'
    printf '{"table":".x","a":%s[' "${3-}"
    yes "$2" | head -n $(($1 - 3)) | paste -sd, | tr -d '\n'
    echo ']}'
}

@test "a line that is not canonical has a limited number of values, and takes limited memory" {
    plain_only "it reserves terabytes"
    for item in '{}' '[]' '"\","' 0; do
        row_of_values 262144 "$item" ' ' >most
        try bash -c 'ulimit -v 110000; exec profcat most'
        says 0
        row_of_values 262145 "$item" ' ' >more
        try profcat more
        says 1 'profcat: more:2: expected at most 262144 values in a line that is not canonical, found 262145 (see profstream(5), LIMITS)'
    done
    # whatever the size: this one took 1.6 GB
    row_of_values 5500000 '{}' ' ' >more
    try bash -c 'ulimit -v 60000; exec profvalidate more'
    says 1 'more:2: expected at most 262144 values in a line that is not canonical, found 5500000 (see profstream(5), LIMITS) [json]' \
        'profvalidate: findings: json (1)'
}

@test "a canonical line may have any number of values" {
    row_of_values 5500000 '{}' >canonical
    profcat canonical | sed -n 2p | same - <(sed -n 2p canonical)
}

@test "values are counted as they are" {
    need jq
    item='{"a":1,"b":[ ],"c":"\"],[{","d":{"e":null}}'
    echo '{"table":"meta","key":"version","value":"2.0"}' >more
    { printf '{"table":".x", "a":['; yes "$item" | head -n 50000 | paste -sd, | tr -d '\n'; echo ']}'; } >>more
    try profcat more
    jq '[.. | 1] | length' <(sed -n 2p more) >count
    says 1 "profcat: more:2: expected at most 262144 values in a line that is not canonical, found $(cat count) (see profstream(5), LIMITS)"
}

# A pprof file with one sample that has COUNT labels without anything in them.
empty_labels() {  # count
    need python3
    python3 -c '
import sys
count = int(sys.argv[1])
def field(number, data):
    n, size = len(data), b""
    while n > 127:
        size, n = size + bytes([n & 127 | 128]), n >> 7
    return bytes([number << 3 | 2]) + size + bytes([n]) + data
sys.stdout.buffer.write(
    field(1, b"\x08\x01\x10\x02") + field(2, b"\x12\x01\x05" + b"\x1a\x00" * count)
    + field(6, b"") + field(6, b"n") + field(6, b"count"))' "$1" | gzip
}

@test "a pprof file of a few kilobytes with very many empty labels is refused in little memory" {
    plain_only 'it limits memory'
    empty_labels 8000000 >many.pb.gz
    [ "$(wc -c <many.pb.gz)" -lt 20000 ]
    ulimit -v 200000
    try pprof2ndjson many.pb.gz
    says 1 'pprof2ndjson: many.pb.gz: offset 6: sample[0].label: expected at most 883011 labels, as many as a row can hold, found 8000000'
    empty_labels 100000 >some.pb.gz
    try pprof2ndjson some.pb.gz
    says 0
    [ "$(grep -o '"key":""' stdout | wc -l)" -eq 100000 ]
}

@test "--timeout bounds the wait for whatever is read or written" {
    mkfifo pipe
    echo 'a 1' >x.folded
    for command in 'profcat pipe' 'profcat --rules=pipe x.folded' 'profcat --files-from=pipe' 'profcat -o pipe x.folded' \
        'profsql -f pipe x.folded' 'profdiff --rules=pipe x.folded x.folded'; do
        try timeout 20 $command --timeout=.2
        says 3 "${command%% *}: .2 seconds are over (--timeout)" || fail "$command: $(cat stderr)"
    done
}
