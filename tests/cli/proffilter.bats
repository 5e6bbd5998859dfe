# proffilter: what pprof's flags of the same names do, and what rows say after it.

load helpers
load pprof-helpers

# What both say of a file: pprof with its flag, and profsum of what proffilter leaves; also as a file of
# pprof, and by the rules of rows.
same_as_pprof() {  # file, flags of pprof, options of proffilter
    local type unit
    case $1 in
        *heap*) type=inuse_space unit=B ;;
        *)      type=cpu unit=ns ;;
    esac
    go_top $type "$1" $unit $2 | sed 's/ (partial-inline)$//' >theirs
    proffilter -q $3 "$1" >left
    profvalidate left
    ndjson2pprof -q -o left.pb.gz left
    go_top $type left.pb.gz $unit | sed 's/ (partial-inline)$//' | same theirs -
    profsum -q --format=tsv left | column self total function | tr '\t' ' ' | LC_ALL=C sort >ours
    same theirs ours || fail "$1 $3" "$(diff theirs ours)"
    [ ! -s theirs ] || found=$((found + 1))
}

@test "go tool pprof's flags of the same names do the same" {
    need go
    for sample in "$PPROFS"/*.pb.gz; do
        found=0
        for flag in $(some_of 3 {focus,ignore,hide,show,show_from}={main,'fibonacci|forwards|libc|Write','\.go$','^runtime|array$','o[A-Z]','so\.6',nobody}); do
            same_as_pprof "$sample" "-$flag" "--${flag/show_from/trim-root}"
        done
        # in pprof's own order
        same_as_pprof "$sample" '-focus=main|libc -ignore=array$ -hide=fib -show=a|so -show_from=m' \
            '--ignore=array$ --focus=main|libc --hide=fib --show=a|so --trim-root=m'
        [ $found -ge 3 ] || fail "$sample: little was left $found times"
    done
}

@test "shares of all are those of go tool pprof, which does not forget what it leaves out" {
    need go jq
    compared=0
    while read -r file type flags options; do
        go_pprof -sample_index="$type" -nodefraction=0 -nodecount=100000 $flags -top "$PPROFS/$file" |
            awk '/flat%/ { on = 1; next } on { name = $0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name)
                sub(/ \((partial-)?inline\)$/, "", name); print name "\t" $2 "\t" $5 }' | LC_ALL=C sort >theirs
        proffilter -q $options "$PPROFS/$file" >left
        profsum -q --type="$type" --format=json left |
            jq -r '.rows[] | select(.total != 0) | [.function, .self_pct_all, .total_pct_all] | @tsv' |
            awk -F'\t' 'function share(x) { return x >= 99.95 ? "100%" : sprintf(x >= 1 ? "%.2f%%" : "%.2g%%", x) }
                { print $1 "\t" share($2) "\t" share($3) }' | LC_ALL=C sort >ours
        same theirs ours || fail "$file $flags" "$(diff theirs ours)"
        compared=$((compared + $(wc -l <theirs)))
        # by two filters, and by those of parts that are merged: the same
        proffilter -q $options left | same left -
        proffilter -q --samples=:20 "$PPROFS/$file" | proffilter -q $options >first
        proffilter -q --samples=21: "$PPROFS/$file" | proffilter -q $options >second
        profsum -q --type="$type" --format=json left >expected
        proffilter -q $options "$PPROFS/$file" "$PPROFS/$file" | profsum -q --type="$type" --format=json |
            jq -c '[.rows[] | .self_pct_all]' | same - <(jq -c '[.rows[] | .self_pct_all]' expected)
        [ "$(profcat -q first second | grep left_out | jq -s --arg type "$type" 'map(select(.type == $type).value) | add')" -gt \
            "$(grep left_out left | jq --arg type "$type" 'select(.type == $type).value')" ]
    done <<'END'
go-cpu.pb.gz cpu -focus=sortWords --focus=sortWords
go-cpu.pb.gz samples -ignore=runtime --ignore=runtime
go-labels.pb.gz cpu -tagfocus=user=anna --label=user=anna
go-labels.pb.gz cpu -tagignore=user=anna --no-label=user=anna
go-heap.pb.gz alloc_space -focus=main --focus=main
END
    [ $compared -gt 30 ] || fail "only $compared"
}

# The end of the line of profsum about all.
before() { profsum -q -n 1 "$@" | sed -n '2s/.* samples*\(, \|$\)//; 2s/.* records*\(, \|$\)//; 2p'; }

@test "what there was before a filter is what profsum says without it" {
    cpu=$PPROFS/go-cpu.pb.gz
    # a sample that stands for several counts as these, whoever leaves it out
    proffilter --thin=1/2 "$cpu" | profsum -q --format=json | jq -r .all >all
    proffilter --thin=1/2 --ignore=fibonacci "$cpu" >once
    proffilter --thin=1/2 "$cpu" | proffilter --ignore=fibonacci | same once -
    [ "$(before once)" = '27.78 % of 1.44 s before a filter' ]
    # samples of Rprof without a stack are not part of all
    proffilter --focus=. "$SAMPLES/memory.out" >left
    [ "$(before left)" = '' ]
    # time that only the number of samples says, and units that are gone
    [ "$(proffilter --type=samples --focus='name:^lm$' "$SAMPLES/plain.out" | before)" = '93.22 % of 590.00 ms before a filter' ]
    for unit in nanoseconds milliseconds; do
        echo '{"table":"meta","key":"version","value":"2.0"}'
        echo "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"t\",\"source_uri\":\"$unit\",\"source_timestamp\":null}"
        echo '{"table":"samples","sample_id":1,"source_id":1}'
        echo "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"time\",\"unit\":\"$unit\",\"value\":3000000}" |
            sed '/milli/s/000000//'
    done >units
    [ "$(proffilter -q --source=nanoseconds units | before)" = '50.00 % of 6.00 ms before a filter' ]
    [ "$(proffilter -q --source=milliseconds units | before)" = '50.00 % of 6.00 ms before a filter' ]
    # what has become of other values has no such sums
    proffilter --ignore=fibonacci "$cpu" >left
    [ "$(profagg --scale=cpu=2 left | before)" = '' ]
    [ "$(profagg --normalize left | before)" = '' ]
    profdiff -q --rows --allow-equal left left >difference
    run ! grep left_out difference
    # people see the share of what bars are of
    [ "$(profsum --hot-paths left | sed -n 4p | tr -s ' ')" = ' 0.00 0.00 410.00 97.62 28.28 ██████████ main.main.func2' ]
    # no number is written that cannot be read
    sed 's/"value":3000000}/"value":1.7e308}/; s/"value":3}/"value":1.7e308}/; s/"unit":"[a-z]*"/"unit":"x"/' units >huge
    proffilter -q --source=nothing huge >left
    profvalidate left
    run ! grep 51e307 left
}

@test "-tagfocus and --label do the same" {
    need go
    found=0
    for re in anna 'b.hm' 'd"$' '^a|^b' nobody; do
        same_as_pprof "$PPROFS/go-labels.pb.gz" "-tagfocus=user=$re" "--label=user=$re"
    done
    same_as_pprof "$PPROFS/go-labels.pb.gz" -tagfocus=request=GET --label=request=GET
    [ $found -eq 5 ]
    for range in 16b 16b:32b :1kb 1kb: 1KB:4mb 2gb:; do
        same_as_pprof "$PPROFS/go-heap.pb.gz" "-tagfocus=bytes=$range" "--label=bytes=$range"
    done
    [ $found -ge 9 ]
}

@test "-tagignore and --no-label do the same" {
    need go
    found=0
    for re in anna 'b.hm' 'd"$' '^a|^b' nobody .; do
        same_as_pprof "$PPROFS/go-labels.pb.gz" "-tagignore=user=$re" "--no-label=user=$re"
    done
    for range in 16b 16b:32b :1kb 1kb: 2gb:; do
        same_as_pprof "$PPROFS/go-heap.pb.gz" "-tagignore=bytes=$range" "--no-label=bytes=$range"
    done
    [ $found -ge 9 ]
}

@test "-prune_from and --trim-leaf do the same of names without brackets" {
    need go
    found=0
    for re in main.fibonacci runtime main.forwards Sum256 nobody; do
        for sample in go-cpu go-inline go-labels; do
            same_as_pprof "$PPROFS/$sample.pb.gz" "-prune_from=$re" "--trim-leaf=name:$re"
        done
    done
    [ $found -eq 15 ]
}

# The stacks of the file `all`, outermost frame first, as Perl leaves the list @f of their frames.
by_hand() {  # what it does
    perl -ne '/(.*) (\d+)$/; @f = split /;/, $1; '"$1"'; $n{join ";", @f} += $2 if @f;
        END { print "$_ $n{$_}\n" for keys %n }' all | LC_ALL=C sort
}

@test "trims and depths are those of the text" {
    need perl
    ndjson2folded -q --type=samples "$SAMPLES/plain.out" >all
    for n in 0 1 3 7 40; do
        by_hand "splice @f, 0, $n" >trim-root
        by_hand "splice @f, @f > $n ? @f - $n : 0" >trim-leaf
        by_hand "splice @f, $n if @f > $n" >max-depth
        for option in trim-root trim-leaf max-depth; do
            [ "$option$n" != max-depth0 ] || continue
            proffilter --$option=$n "$SAMPLES/plain.out" | ndjson2folded -q --type=samples | LC_ALL=C sort | same $option -
        done
    done
}

@test "nothing asked for leaves what profcat makes" {
    takes_long
    for file in "$SAMPLES"/*.out "$PPROFS"/*.pb.gz "$ROOT"/samples/{folded/*.folded,perf/*.txt,speedscope/*.json}; do
        proffilter -q "$file" >left
        profvalidate left
        profcat -q "$file" | ndjson2pprof -q --canonical -o expected
        ndjson2pprof -q --canonical -o found left
        same expected found
        # and twice is once
        proffilter -q left | same left -
    done
}

@test "what a step finds depends on those before it" {
    rprof2ndjson "$SAMPLES/plain.out" >rows
    proffilter -q --focus=paste --hide=paste rows >a
    proffilter -q --hide=paste --focus=paste rows >b
    [ "$(grep -c '"table":"samples"' a)" -gt 0 ]
    run ! grep -q '"table":"samples"' b
    # positions are those of what is left, times those of the source
    proffilter --focus=paste --samples=1:2 rows >a
    proffilter --focus=paste rows | proffilter --samples=1:2 | same a -
    proffilter --samples=100ms:200ms --focus=paste rows >a
    proffilter --focus=paste --samples=100ms:200ms rows | same a -
}

@test "ranges are halves of each other" {
    n=$(rprof2ndjson "$SAMPLES/plain.out" | grep -c '"table":"samples"')
    for at in 1:40/41: :0.1s/100ms: 1:1/2:; do
        total=0
        for range in ${at%/*} ${at#*/}; do
            total=$((total + $(proffilter --samples=$range "$SAMPLES/plain.out" | grep -c '"table":"samples"')))
        done
        [ $total -eq "$n" ]
    done
    # the period is 5 ms
    proffilter --samples=:100ms "$SAMPLES/plain.out" >a
    proffilter --samples=1:20 "$SAMPLES/plain.out" | same a -
}

@test "thinning keeps sums, about" {
    for n in 1 2 5 7; do
        proffilter --thin=1/$n "$SAMPLES/plain.out" >left
        profsum --type=samples --format=tsv left | column self | awk -v n=$n '{ sum += $1 } END { exit !(sum > 118 - n && sum < 118 + n) }'
    done
    # fractions stay exact, whole numbers whole, and what 64 bits do not hold a double
    for value in 0.1/0.3 1.5e3/4500 1e19/30000000000000000000.0 -2.5e300/-75e299; do
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
            '{"table":"samples","sample_id":1,"source_id":1}' '{"table":"samples","sample_id":2,"source_id":1}' \
            '{"table":"sample_values","sample_id":2,"type":"t","unit":"u","value":'"${value%/*}}" >real
        [ "$(proffilter --thin=1/3 real | profcat | grep -o '"value":[-0-9.e]*}')" = "\"value\":${value#*/}}" ]
    done
    sed 's/-2.5e300/1.7e308/' real >large
    try proffilter --thin=1/3 large
    says 1 'proffilter: large:5: --thin: 3 times the value is more than a number can be'
    # more digits than are kept exactly: the middle one of 40
    sed 's/-2.5e300/9999999999999999999999999999999999999e271/; /"samples"/d' real >large
    for i in $(seq 40); do
        printf '{"table":"samples","sample_id":%s,"source_id":1}\n' $i
        [ $i -ne 10 ] || grep '"sample_values"' large | sed 's/"sample_id":2/"sample_id":10/'
    done >samples
    { grep -v '"sample_values"' large; cat samples; } >larger
    try proffilter --thin=1/20 larger
    says 1 'proffilter: larger:13: --thin: 20 times the value is more than a number can be'
    printf 'f;g 9223372036854775807\n' >large.folded
    try proffilter --thin=1/1 large.folded
    says 0
    printf 'f;g 9223372036854775807\nf;g 9223372036854775807\n' >large.folded
    try proffilter --thin=1/2 large.folded
    says 1 'proffilter: large.folded: --thin: 2 times the value is more than a number can be'
}

@test "a reference over too many gaps is no guess" {
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
        seq 1 2 140001 | sed 's/.*/{"table":"samples","sample_id":&,"source_id":1}/'
        seq 140002 280001 | sed 's/.*/{"table":"samples","sample_id":&,"source_id":1}/'
    } >many
    echo '{"table":".x","sample_id":140003}' | cat many - >late
    echo '{"table":".x","sample_id":280000}' | cat many - >soon
    try proffilter --thin=1/2 late
    says 1 'proffilter: late:210004: .x.sample_id: the sample was more than 32768 gaps in what is left ago'
    try proffilter --thin=1/2 soon
    says 0
}

@test "a long chain of inlined frames takes no stack of the tool's own" {
    awk 'BEGIN {
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}"
        for (i = 1; i <= 300000; i++)
            printf "{\"table\":\"locations\",\"location_id\":%d,\"function_id\":null,\"line\":%d%s}\n", i, i,
                (i > 1 ? ",\".inlined_into\":" i - 1 : "")
        print "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\".truncated\":true}"
        print "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":1,\"location_id\":300000}"
    }' >deep
    (ulimit -s 256; proffilter deep >left)
    [ "$(grep -c '"locations"' left)" -eq 300000 ]
}

@test "what options get wrong is said" {
    input=$SAMPLES/plain.out
    for option in --samples=5 --samples=: --samples=0:3 --samples=3:2 --samples=1s:3 --samples=2s:1s --samples=1x:2x \
        --samples=-1:2 --samples=1.5:3 --samples=1:2:3 --thin=2 --thin=1/0 --thin=1/x --max-depth=0 --max-depth=x \
        --label=x --label==x --type=/ --type=x/; do
        try proffilter "$option" "$input"
        [ "$status" -eq 2 ]
        [ ! -s stdout ]
        grep -q "^proffilter: ${option%%=*}: expected .*, found \"${option#*=}\"$" stderr || fail "$option" "$(cat stderr)"
    done
    try proffilter --focus='(' "$input"
    says 2 'proffilter: --focus: "(" is no regular expression: missing closing parenthesis (\Q...\E stands for any text as it is)'
    try proffilter -F --focus='(' -q "$input"
    says 0
    try proffilter --label='k=(' "$input"
    [ "$status" -eq 2 ]

    cp "$PPROFS/go-cpu.pb.gz" x.pb.gz
    try proffilter --samples=1s:2s x.pb.gz
    says 1 'proffilter: x.pb.gz: --samples: the samples of "x.pb.gz" have no time: those of pprof are in no order'
    printf 'f;g 1\n' >x.folded
    try proffilter --samples=1s:2s x.folded
    says 1 'proffilter: x.folded: --samples: the samples of "x.folded" have no time: those of folded are in no order'
    # what is left out need not have any
    try proffilter -q --source=y --samples=1s:2s x.folded
    says 0
}

@test "samples with a time are chosen by it, whatever their order, and from the first of each source" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' >rows
    for source in 1 2; do
        printf '{"table":"sources","source_id":%d,"source_type":"x","source_uri":null,"source_timestamp":null,".period":{"type":"a","unit":"seconds","value":60}}\n' $source
    done >>rows
    n=0
    for sample in '1,".time":-5' '2,".time":100,".labels":[]' '1,".labels":[],".time":3' '1,".time":-9223372036854775808' \
        '2,".time":104' '1,".time":2' '2,".time":105' 2; do
        printf '{"table":"samples","sample_id":%d,"source_id":%s}\n' $((n += 1)) "$sample"
    done >>rows
    left() {
        proffilter -q --samples="$1" rows | sed -n 's/^{"table":"samples".*"source_id":\([12][^}]*\)}/\1/p' | tr '\n' ' '
    }
    [ "$(left 5ns:8ns)" = '1,".time":2 2,".time":105 ' ] # from -5 on, and from 100
    [ "$(left 8ns:)" = '1,".labels":[],".time":3 ' ]
    [ "$(left :5ns)" = '1,".time":-5 2,".time":100,".labels":[] 1,".time":-9223372036854775808 2,".time":104 2 ' ]
}

@test "what is live stays live" {
    mkfifo pipe
    proffilter --focus=lm pipe >out 3>&- &
    exec 7>pipe
    rprof2ndjson "$SAMPLES/plain.out" | sed '$d' >&7
    a_hundred() { [ "$(grep -c '"table":"samples"' out)" -ge 100 ]; }
    wait_until a_hundred
    run ! grep -q '"table":".end"' out
    echo '{"table":".end"}' >&7
    exec 7>&-
    wait $!
}

# Rules of one kind each, one for each argument KIND,EXPRESSION,REPLACEMENT.
rules() {
    printf '%s\n' "$@" | tr , '\t' >rules
}

# The names in rows of functions that have one, if it needs no escape.
names() {
    grep -v '\\\|"[.]no_name"' | sed -n 's/^{"table":"functions","function_id":[0-9]*,"name":"\([^"]*\)".*/\1/p'
}

@test "rules rename functions as sed would" {
    for sample in "$SAMPLES"/{plain,lines,deep}.out "$PPROFS"/*.pb.gz; do
        for rule in '[aeiou],<&>' '^(.)(.),\2\1' '(x|[.])?([a-z]*)$,(\2|\1)' 'a*,-' '\bm,&&'; do
            rules "name,$rule"
            proffilter -q "$sample" | names | sed -E "s;${rule%,*};${rule##*,};g" | sort -u >theirs
            [ "$(wc -l <theirs)" -gt 2 ]
            proffilter -q --rules=rules "$sample" | names | sort -u >ours
            same theirs ours || fail "$sample $rule" "$(diff theirs ours)"
        done
    done
}

@test "rules say the same in every tool, and groups go through pipes" {
    rules 'name,^(.)[a-z]*[.],\1:' 'file,^.*/,' 'mapping,[.]so[.0-9]*$,.so' 'group,name:^([^.:]*)[.:],<\1>' \
        'group,mapping:lib([a-z]*),\1' 'group,file:(go|R)$,\1'
    for sample in "$SAMPLES"/{plain,lines,deep}.out "$PPROFS"/*.pb.gz; do
        proffilter -q --rules=rules "$sample" >named
        profvalidate named
        profagg -q --rules=rules "$sample" >added
        profvalidate added
        for by in function group package file mapping line; do
            profsum -q --by=$by --rules=rules --format=tsv "$sample" >direct
            [ "$(wc -l <direct)" -gt 1 ]
            profsum -q --by=$by --format=tsv named | same direct -
            profsum -q --by=$by --format=tsv added | same direct -
        done
        profsum -q --by=group --format=tsv named | column group self self_pct total total_pct all | grep -v '^<unknown>' >direct
        profagg -q --by=group named | profsum -q --format=tsv | column function self self_pct total total_pct all |
            grep -v '^<unknown>' | same direct -
    done
    # what is asked for is asked of new names
    rules 'name,^lm$,linear model'
    [ "$(proffilter --rules=rules --focus='^linear model$' "$SAMPLES/plain.out" | grep -c '"samples",')" -gt 50 ]
    # once is as good as twice, for those that come with the tools
    profagg -q --rules=builds "$SAMPLES"/../perf/inlined.txt >once
    profagg -q --rules=builds once | same once -
}

@test "an expression that matches nothing is told, whatever it is for" {
    for option in focus ignore hide show trim-root; do
        try proffilter --$option=nothing_of_that_name "$SAMPLES/plain.out"
        [ "$(cat stderr)" = "proffilter: --$option: \"nothing_of_that_name\" matches nothing" ] || fail "$option: $(cat stderr)"
        try proffilter --$option='^sample' "$SAMPLES/plain.out"
        says 0
    done
}

@test "a rule that matches nothing is told of" {
    rules 'name,^lm$,&' '#,,' 'name,nobody,&' 'file,[(]nobody,'
    try proffilter --rules=rules -o left "$SAMPLES/plain.out"
    says 0 'proffilter: rules: 2 of 3 rules match nothing (-v lists them)'
    profcat "$SAMPLES/plain.out" | same - left
    try proffilter -q --rules=rules -o left "$SAMPLES/plain.out"
    says 0
    try proffilter --rules=rules --keep-going -o left "$SAMPLES/plain.out" "$SAMPLES/nobody"
    [ "$status" -eq 1 ]
    [ "$(grep -c 'rules match' stderr)" -eq 1 ]
    try proffilter --rules=builds -o left "$SAMPLES/plain.out"
    says 0
    # a file of that name
    rules 'name,^lm$,a linear model'
    mv rules builds
    proffilter --rules=./builds "$SAMPLES/plain.out" | grep -q '"a linear model"'
}

@test "sources of which no sample is left go, unless they are to be kept" {
    printf 'a;work 3\na;rest 1\n' >with
    printf 'a;rest 4\n' >without
    printf '{"table":"meta","key":"version","value":"2.0"}\n{"table":"sources","source_id":1,"source_type":"x","source_uri":"before","source_timestamp":1.5}\n' >before
    profcat with before without >all
    sources() { proffilter -q "$@" all | sed -n 's/.*"source_id":\([0-9]*\),.*"source_uri":"\([a-z]*\)".*/\1 \2/p' | tr '\n' ';'; }
    # what had no sample before has not been emptied
    [ "$(sources --focus=work)" = '1 with;2 before;' ]
    [ "$(sources --keep-sources --focus=work)" = '1 with;2 before;3 without;' ]
    [ "$(sources --focus=nobody)" = '1 before;' ]
    [ "$(sources)" = '1 with;2 without;3 before;' ]
    proffilter -q before | grep -q '"source_timestamp":1.5}'
    # so what is filtered is not compared with nothing
    for i in 1 2 3; do printf 'a;work %d\na;rest 1\n' 10$i >run-$i; done
    proffilter -q --focus=work run-? without >base
    [ "$(profdiff -q --format=tsv base -- run-? | column all | sort -u)" = 102 ]
    try profdiff base -- run-?
    run ! grep -q 'not in ' stderr
}

# Samples with numbers as labels, below 0 and in a unit of its own; their frame is of a mapping without a base name.
numbers() {
    cat <<'ROWS'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null,".value_types":[{"type":"samples","unit":"count"}]}
{"table":".mappings","mapping_id":1,"filename":"/a/b/","build_id":""}
{"table":"locations","location_id":1,"function_id":null,"line":null,".mapping_id":1}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"n","num":6,"unit":"aa"}]}
{"table":"sample_values","sample_id":1,"type":"samples","unit":"count","value":1}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"samples","sample_id":2,"source_id":1,".labels":[{"key":"n","num":-4}]}
{"table":"sample_values","sample_id":2,"type":"samples","unit":"count","value":1}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":1}
ROWS
}

@test "a range of a label may be below 0, and have any unit" {
    numbers >rows
    for range in 5aa:7aa=6 -5:-3=-4 -4:-4=-4 6aa:6aa=6; do
        [ "$(proffilter --label=n=${range%=*} rows | sed -n 's/.*"num":\([-0-9]*\).*/\1/p')" = "${range#*=}" ] || fail $range
    done
    for range in 1aa:5aa 7aa: -3:-1 -9:-5; do
        [ "$(proffilter --label=n=$range rows | grep -c '"table":"samples"')" -eq 0 ] || fail $range
    done
}

@test "a file whose name ends in a slash is called by all of it" {
    numbers >rows
    [ "$(profsum --format=csv rows | sed -n 2p | cut -d, -f 1)" = '[/a/b/]' ] || fail "$(profsum --format=csv rows)"
}
