# profflame: what its pictures hold, read by others, and that nothing in names does harm.

load helpers

setup_file() {
    need python3
}

# What the header of a page says of $1.
header() {  # member file
    show page "$2" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"
}

show() { "$BATS_TEST_DIRNAME/show-flame" "$@"; }

# Makes, of each type of the profile $1, what show-flame compares with x.html.
make_others() {  # file
    local type n=0
    rm -f ./*.folded ./*.json ./*.svg
    profflame -q -o x.html "$1"
    show page x.html | python3 -c 'import json, sys
for type in json.load(sys.stdin)["types"]: print(type["type"] + "/" + type["unit"])' >types
    while read -r type; do
        profflame -q --min-width=0 --type="$type" -o $n.svg "$1"
        profsum -q --stacks --type="$type" --format=json "$1" >$n.json
        # a time that samples stand for is no type of folded stacks, and frames without a function are not theirs
        [[ $1 == *cpp-cpu* ]] || ndjson2folded -q --type="$type" "$1" >$n.folded 2>log ||
            { grep -q 'no source has' log && rm $n.folded; }
        n=$((n + 1))
    done <types
}

# Those with sums below 0, which have no width, are another test's.
@test "pages and pictures have what profsum and folded stacks have, of all types of all samples" {
    takes_long
    local file files
    files=$(some_of 9 "$ROOT"/samples/{rprof,rprofmem}/*.out "$ROOT"/samples/pprof/*.gz "$ROOT"/samples/folded/*.folded \
        "$ROOT"/samples/perf/*.txt "$ROOT"/samples/speedscope/*.json "$ROOT"/samples/perun/*.perf | grep -v '/time[.]perf')
    for file in $files; do
        make_others "$file"
        show judge x.html >>judged 2>log || fail "$file" "$(tail -n 1 log)"
    done
    [ "$(wc -l <judged)" -gt 10 ] || fail "$(cat judged)"
    [ "$(grep -c folded judged)" -gt 6 ] || fail "$(cat judged)"
}

# Prints what a picture of folded stacks has: boxes as show-flame shows them.
boxes_of() {  # [option ...]
    profflame --min-width=0 -o x.svg "$@"
    show boxes x.svg
}

@test "a profile without samples, with one, and with samples of nothing are pictures, too" {
    takes_long
    echo '{"table":"meta","key":"version","value":"2.0"}' >none.ndjson
    [ "$(boxes_of none.ndjson)" = $'0\t0.0000\t1.0000\tall' ]
    echo 'main;f 1' >one.folded
    [ "$(boxes_of one.folded | tail -n 1)" = $'1\t0.0000\t1.0000\tmain (self 0, total 1, 100.00 % of all)' ]
    echo 'main;f 0' >nothing.folded
    [ "$(boxes_of nothing.folded)" = $'0\t0.0000\t1.0000\tall (0)' ]
    local file
    for file in none.ndjson one.folded nothing.folded; do
        profflame -o x.html $file
        show page x.html >/dev/null
        profflame --format=text $file >text
        [ "$(wc -l <text)" -le 4 ]
    done
}

@test "boxes of one caller stand in the order of their names, and a caller in front of what it calls" {
    printf '%s\n' 'm;b 1' 'm;a;x 2' 'm 3' 'm;B 4' 'l 5' 'm;a 1' >x.folded
    boxes_of x.folded | cut -f 1-3,4 | sed 's/ (.*//' >found
    printf '%s\t%s\t%s\t%s\n' 0 0.0000 1.0000 all 1 0.0000 0.3125 l 2 0.5000 0.2500 B 3 0.8125 0.1250 x \
        2 0.7500 0.1875 a 2 0.9375 0.0625 b 1 0.3125 0.6875 m >expected
    diff expected found
}

@test "the script of a page shortens names as the tools do" {
    need node
    node "$ROOT/tests/browser/shorten.js" "$ROOT/src/page/assets/flame/shorten.js" "$ROOT/tests/unit/shorten_examples.h"
}

# Names are longer than their boxes: what is before the last part of the package says little.
@test "a picture shows the part of a name that tells it apart, and its tooltip the whole" {
    local name='github.com/some/module/v2.(*persistConn).addTLS'
    printf '%s\n' "main;$name 30" 'main;github.com/some/module/v2.other 70' >x.folded
    profflame --width=620 -o x.svg x.folded
    grep -qF "<title>$name (self 30" x.svg
    grep -q '>…persistConn).addTLS</text>' x.svg
    profflame --format=text --width=80 x.folded | grep -q '▏…persistConn).addTLS *▏github.com/some/module/v2.other 70'
}

@test "colours are by package where most names show one, and else by name" {
    echo 'main.main;net/http.(*conn).serve;f 1' >go.folded
    echo 'a;b;c 1' >c.folded
    profflame -o x.html go.folded
    [[ $(header view x.html) == *"'colors': 'package'"* ]]
    [ "$(show page x.html | python3 -c 'import json, sys; print(json.load(sys.stdin)["packages"])')" -eq 2 ]
    profflame -o x.html c.folded
    [[ $(header view x.html) == *"'colors': 'hot'"* ]]
    diff <(profflame --format=svg go.folded) <(profflame --format=svg --colors=package go.folded)
    diff <(profplot go.folded) <(profplot --colors=package go.folded)
    diff <(profplot c.folded) <(profplot --colors=r c.folded)
}

@test "a difference names its sides, and shows its scale in points; with few runs it is pale" {
    local i said='Noise is not known, so colours are pale: three runs of each side would tell.'
    for i in 1 2 3; do
        printf '%s\n' "main;f $((50 + i))" "main;g $((50 - i))" >base$i.folded
        printf '%s\n' "main;f $((20 + i))" "main;g $((80 - i))" >new$i.folded
    done
    profflame -o x.svg base1.folded -- new1.folded
    grep -qF ">base1.folded (base) → new1.folded (new)<" x.svg
    grep -qF ">$said<" x.svg
    grep -qF '>+30.00 points; blue: less of all, orange: more, grey: ' x.svg
    [ "$(grep -c 'class="scale"' x.svg)" -eq 9 ]
    grep -q '<title>g .* fill="#e9b37e"' x.svg
    profflame --format=text base1.folded -- new1.folded | grep -qxF "$said"
    profflame -o x.svg base?.folded -- new?.folded
    grep -qF ">3 sources (base) → 3 sources (new)<" x.svg
    run ! grep -qF "$said" x.svg
    grep -q '<title>g .* fill="#f58a1f"' x.svg
}

@test "what is too thin is one grey box, which says how much it has" {
    for i in 1 2 3; do echo "m;thin$i;more 1"; done >x.folded
    echo 'm;wide 9997' >>x.folded
    profflame --width=1020 --min-width=1 -o x.svg x.folded
    show boxes x.svg >found
    grep -qxF $'2\t0.0000\t0.0003\t3 boxes without room (total 3, 0.03 % of all)' found
    [ "$(wc -l <found)" -eq 4 ]
    grep -q 'width="0.3".* fill="#c8c8c8"' x.svg
}

# Prints how many boxes the still picture of the page $1 has, and what those say that stand for others.
still_of() {  # file
    sed -n '/<svg/,/<.svg>/p' "$1" >still.svg
    grep -c '<rect.* fill="#' still.svg
    sed -n 's/^<g><title>\(.* without room .*\)<\/title>.*/\1/p' still.svg
}

@test "the still picture of a page leaves out what a picture of the same width does" {
    printf '%s\n' 'm;a 10' 'm;b 10' 'm;wide 80' >x.folded
    profflame --width=200 --min-width=19 -o x.html x.folded
    profflame --width=200 --min-width=19 -o x.svg x.folded
    still_of x.html | grep -xF '2 boxes without room (total 20, 20.00 % of all)'
    diff <(grep '<rect' still.svg) <(grep '<rect' x.svg)
}

@test "of too many boxes the still picture of a page has the widest" {
    local shown
    for i in {1..1500}; do echo "m;f$i $i"; done >x.folded
    profflame --width=2000 --min-width=0 -o x.html x.folded
    [ "$(still_of x.html | head -n 1)" -le 1000 ]
    grep -o '^<g><title>f[0-9]*' still.svg | sed 's/.*f//' | sort -n >found
    shown=$(wc -l <found)
    [ "$shown" -gt 300 ]
    diff found <(seq $((1501 - shown)) 1500)
}

@test "stacks too deep to be drawn to their end are drawn as far as there is room" {
    awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%sf", i ? ";" : ""; print " 3" }' >x.folded
    profflame -o x.html x.folded
    [ "$(still_of x.html)" = $'335\n1 box without room (total 3, 100.00 % of all)' ] || fail "$(still_of x.html)"
    { for i in {1..3000}; do echo "m;f$i 1"; done; echo 'm;a;b 2'; } >x.folded
    profflame -o x.html x.folded
    [ "$(still_of x.html)" = $'5\n3000 boxes without room (total 3000, 99.93 % of all)' ] || fail "$(still_of x.html)"
}

@test "what has nothing is not counted among what is too thin" {
    printf '%s\n' 'm;nothing 0' 'm;thin 1' 'm;void 0' 'm;wide 9999' >x.folded
    profflame --width=1020 --min-width=1 -o x.svg x.folded
    show boxes x.svg | grep -qxF $'2\t0.0000\t0.0001\t1 box without room (total 1, 0.01 % of all)'
}

@test "a terminal of few lines gets few" {
    need_terminal
    echo 'a;b;c;d;e;f;g;h 1' >x.folded
    for lines in 1 5 6 7; do
        script -qec "stty rows $lines cols 40; profflame x.folded" /dev/null >screen </dev/null
        [ "$(grep -c ▏ screen)" -eq $((lines < 7 ? 1 : 2)) ] || fail "$lines" "$(cat -v screen)"
    done
}

@test "what a terminal has no room for is told" {
    printf '%s\n' 'm;a;b;c 1' 'm;z 1000' 'q;r;s 1' >x.folded
    profflame --format=text --width=40 x.folded >found
    printf '%s\n' x.folded 'samples: 1002 in 3 records' '▏m 99.90 %' '▏z 99.80 %' '(2 boxes without room)' | diff - found
    profflame --format=text --width=1200 x.folded >found
    run ! grep -q 'without room' found
}

# Rows of five samples: two stacks, one of which sums up to less than 0, and two samples without one.
below_0() {
    local i sample depth location value part
    echo '{"table":"meta","key":"version","value":"2.0"}'
    echo '{"table":"sources","source_id":1,"source_type":"rprof","source_uri":"x","source_timestamp":null}'
    for i in 1 2; do
        printf '{"table":"functions","function_id":%d,"name":"%s","system_name":"%s","filename":"","start_line":0}\n' $i f$i f$i
        printf '{"table":"locations","location_id":%d,"function_id":%d,"line":0}\n' $i $i
    done
    sample=0
    for part in '1 1 30' '1 2 -5' '0 0 7' '1 1 -10' '0 0 7'; do
        read -r depth location value <<<"$part"
        sample=$((sample + 1))
        printf '{"table":"samples","sample_id":%d,"source_id":1}\n' $sample
        printf '{"table":"sample_values","sample_id":%d,"type":"n","unit":"count","value":%d}\n' $sample $value
        [ $depth -eq 0 ] ||
            printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":%d}\n' $sample $location
    done
}

@test "each format says what is not in it: sums below 0, samples without a stack" {
    below_0 >rows
    local said='n: 20 in 3 records, besides 2 samples without a stack; sums of stacks below 0 left out: 1'
    profflame -q --format=text --width=200 rows | grep -qx "$said"
    profflame -q --format=svg rows | grep -qF ">$said<"
    profflame -q -o x.html rows
    grep -qF ">$said<" x.html
    profflame -q --format=text --width=200 rows -- rows | grep -q 'are gone, besides 4 samples without a stack; sums of stacks below 0 left out: 2; blue: less of all, orange: more, grey: the same$'
}

@test "a browser shows what of a page is below 0" {
    takes_long
    need chromium
    below_0 >rows
    profflame -q -o x.html rows
    python3 "$ROOT/tests/browser/flame.py" below x.html
}

@test "inverted, stacks begin with what ran itself" {
    printf '%s\n' 'a;b;c 3' 'a;c 2' >x.folded
    boxes_of --inverted x.folded | cut -f 1,3,4 | sed 's/ (.*//' | sort >found
    printf '%s\n' $'0\t1.0000\tall' $'1\t1.0000\tc' $'2\t0.4000\ta' $'2\t0.6000\tb' $'3\t0.6000\ta' >expected
    diff expected found
    profflame --inverted -o x.html x.folded # the data are not
    [ "$(show cells x.html)" = $'0 - a;b;c 3\n0 - a;c 2' ]
    [[ $(header view x.html) == *"'mode': 'callers'"* ]]
}

# All that a page has of type number $2.
sum_of() {  # page number
    show cells "$1" "$2" | awk '{ sum += $NF } END { print sum }'
}

@test "what is pruned is part of (other): all sums stay what they were" {
    takes_long
    local share file n
    for file in "$ROOT"/samples/{rprof/everything.out,pprof/go-heap.pb.gz,perf/chain.txt}; do
        profflame -q -o all.html "$file"
        header types all.html | grep -o "'type'" | wc -l >count
        for ((n = 0; n < $(cat count); n++)); do sum_of all.html $n >$n.sum; done
        for share in $(some_of 3 0.02 0.3 0.000001); do
            profflame -q --prune=$share -o pruned.html "$file"
            show page pruned.html | grep -qF "\"pruned\": $share" || [ $share = 0.000001 ]
            for ((n = 0; n < $(cat count); n++)); do
                sum_of pruned.html $n | same - $n.sum
            done
        done
        profflame -q --prune=0.3 -o pruned.html "$file"
        [ "$(header stacks pruned.html)" -lt "$(header stacks all.html)" ]
    done
    printf '%s\n' 'm;a;x 1' 'm;a;y 1' 'm;b 1' 'm;c 97' >x.folded
    profflame --prune=0.02 -o x.html x.folded
    [ "$(show cells x.html)" = $'0 - m;(other) 1\n0 - m;a;(other) 2\n0 - m;c 97' ]
}

@test "what is pruned has little of both sides, however much the other one has" {
    printf '%s\n' 'm;a 1000000' 'm;b 1' >base.folded
    printf '%s\n' 'm;c 1' 'm;d 2' >new.folded
    profflame --prune=0.1 -o x.html base.folded -- new.folded
    [ "$(show cells x.html)" = $'0 - m;(other) 1\n0 - m;a 1000000\n1 - m;c 1\n1 - m;d 2' ] || fail "$(show cells x.html)"
}

@test "a function that is called (other) is not what was pruned" {
    printf '%s\n' 'm;(other) 50' 'm;a 1' 'm;b 49' >x.folded
    profflame --prune=0.02 -o x.html x.folded
    [ "$(show cells x.html)" = $'0 - m;(other) 1\n0 - m;(other) 50\n0 - m;b 49' ]
    profflame --prune=0.02 -o x.svg x.folded
    [ "$(grep -c '<rect.*fill="#c8c8c8"' x.svg)" -eq 2 ] # all, and the one that was made
}

# Rows of samples of the stack main: each argument is TYPE/UNIT=VALUE.
rows_of_types() {  # sample ...
    local i=0 sample
    echo '{"table":"meta","key":"version","value":"2.0"}'
    echo '{"table":"sources","source_id":1,"source_type":"x","source_uri":"x","source_timestamp":null}'
    echo '{"table":"functions","function_id":1,"name":"main","system_name":"main","filename":"","start_line":0}'
    echo '{"table":"locations","location_id":1,"function_id":1,"line":0}'
    for sample; do
        i=$((i + 1))
        printf '{"table":"samples","sample_id":%d,"source_id":1}\n' $i
        sed 's/\(.*\)\/\(.*\)=\(.*\)/{"table":"sample_values","sample_id":'$i',"type":"\1","unit":"\2","value":\3}/' <<<"$sample"
        printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":1}\n' $i
    done
}

@test "types of one name whose units convert are one, in whatever order they come" {
    takes_long
    local order n
    for order in 'b/count=9 a/count=7 a/ms=2 a/s=3' 'b/count=9 a/s=3 a/count=7 a/ms=2' 'b/count=9 a/ms=2 a/count=7 a/s=3' \
        'a/s=3 b/count=9 a/minutes=0 a/count=7 a/ms=2'; do
        rows_of_types $order >rows
        profflame -q --type=b -o x.html rows
        header types x.html | tr -d " '" | tr '{' '\n' | sed 's/[],}]*$//; 1d' | sort >found
        printf '%s\n' type:a,unit:count type:a,unit:ms type:b,unit:count | diff - found
        for ((n = 0; n < 3; n++)); do show cells x.html $n; done | sort | diff <(printf '0 - main %s\n' 3002 7 9) -
    done
}

@test "a picture of many types takes the time of its values, not that of types times types" {
    rows_of_types >rows
    {
        echo '{"table":"samples","sample_id":1,"source_id":1}'
        seq -f '{"table":"sample_values","sample_id":1,"type":"t%.0f","unit":"count","value":1}' 60000
        echo '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}'
    } >>rows
    timeout 10 profflame -q --prune=0.1 -o x.html rows
}

@test "cells are told apart by source and labels" {
    profflame -q -o x.html "$ROOT"/samples/pprof/go-labels.pb.gz "$ROOT"/samples/pprof/go-cpu.pb.gz
    show cells x.html >cells
    profsum -q --by=label:request --format=tsv "$ROOT"/samples/pprof/go-labels.pb.gz | column label |
        grep -vx '<no label>' >values
    [ "$(wc -l <values)" -ge 1 ]
    while read -r value; do
        grep -qE "^0 ([^ ]*,)?request=$value" cells
    done <values
    grep -q '^1 - main' cells
    run ! grep -q '^1 [^-]' cells
}

@test "a label with more values than are a choice is not in a page" {
    samples() {  # number of values
        cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":"x","source_timestamp":null}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"f.c","start_line":1}
{"table":"locations","location_id":1,"function_id":1,"line":0}
END
        for i in $(seq "$1"); do
            echo "{\"table\":\"samples\",\"sample_id\":$i,\"source_id\":1,\".labels\":[{\"key\":\"time\",\"num\":$i},{\"key\":\"odd\",\"num\":$((i % 2))}]}"
            echo "{\"table\":\"sample_values\",\"sample_id\":$i,\"type\":\"n\",\"unit\":\"count\",\"value\":1}"
            echo "{\"table\":\"sample_locations\",\"sample_id\":$i,\"depth\":1,\"location_id\":1}"
        done
    }
    samples 1000 >few
    try profflame -v -o x.html few
    says 0
    show cells x.html >cells
    [ "$(wc -l <cells)" -eq 1000 ]
    grep -qx '0 time=7,odd=1 f 1' cells
    samples 1001 >many
    try profflame -v -o x.html many
    says 0 'profflame: not in the output: 1 label with too many values to choose from: time'
    show cells x.html | sort | same - <(printf '%s\n' '0 odd=0 f 500' '0 odd=1 f 501')
    # a picture has no labels to lose
    profflame --lossless -o x.svg many
}

@test "samples that have an order are there in that, and heaps of samples have none" {
    profflame -o x.html "$ROOT"/samples/rprof/toplevel.out
    show streaks x.html | sed 's/<toplevel>;//; s/^<toplevel> /<no location> /' |
        awk '{ n = $NF; sub(" [0-9]*$", "") } $0 == last { sum += n; next }
            NR > 1 { print last, sum } { last = $0; sum = n } END { print last, sum }' >found
    profsum --profile --format=tsv "$ROOT"/samples/rprof/toplevel.out | sed 1d >table
    [ "$(awk '{ sum += $NF } END { print sum }' found)" -eq 86 ]
    [ "$(wc -l <found)" -eq "$(wc -l <table)" ]
    for file in pprof/go-cpu.pb.gz folded/plain.folded; do
        profflame -q -o x.html "$ROOT/samples/$file"
        [ -z "$(show streaks x.html)" ]
    done
}

@test "samples with times are there at these, in the lanes of profplot" {
    local lane
    for lane in tid label:comm source; do
        profflame -q --lane=$lane -o x.html "$ROOT/samples/perf/chain.txt"
        show times x.html >times
        [ "$(wc -l <times)" -ge 50 ]
        profplot --kind=events --lane=$lane --format=tsv "$ROOT/samples/perf/chain.txt" >table
        column lane time <table | sort | same - <(cut -f 1,2 times | sort)
    done
    # a stack lasts until the next sample of its lane, or as long as its sample takes
    printf 'a 1 %s: 10000000 cpu-clock: \n\t1 f (/a)\n\n' 1.000000 1.012000 1.016000 1.050000 >text
    profflame -o x.html text
    show times x.html | same - <(printf 'a 1\t%d\t%d\n' 0 12000000 12000000 4000000 16000000 10000000 50000000 10000000)
}

@test "two sides: as wide as new, and each box has a change of its own" {
    printf '%s\n' 'm;a 50' 'm;b;x 30' 'gone 20' >base.folded
    printf '%s\n' 'm;a 50' 'm;b;x 40' 'm;b 10' >new.folded
    boxes_of base.folded -- new.folded | cut -f 3,4 >found
    cat >expected <<'END'
1.0000	all (100)
0.5000	a (self 50, total 50, 50.00 % of new, 50.00 % of base, +0.00 points)
0.4000	x (self 40, total 40, 40.00 % of new, 30.00 % of base, +10.00 points)
0.5000	b (self 10, total 50, 50.00 % of new, 30.00 % of base, +20.00 points)
1.0000	m (self 0, total 100, 100.00 % of new, 80.00 % of base, +20.00 points)
END
    diff expected found
    grep -qF 'samples: 100 of new; 100 of base, 20.00 % of it in stacks that are gone' x.svg
    profflame -o x.html base.folded -- new.folded
    [ "$(show cells x.html | sort)" = "$(printf '%s\n' '0 - gone 20' '0 - m;a 50' '0 - m;b;x 30' '1 - m;a 50' \
        '1 - m;b 10' '1 - m;b;x 40')" ]
    [ "$(show tests x.html | cut -d ' ' -f 2 | sort -u)" = 0 ]
}

@test "with three runs a side what is not significant is grey, as profdiff has it" {
    for i in 1 2 3 4; do
        printf '%s\n' "m;a $((500 + i % 2 * 9))" "m;b $((300 + i))" "m;c $((200 - i * 3))" >base$i.folded
        printf '%s\n' "m;a $((500 + i % 3 * 9))" "m;b $((400 + i))" "m;c $((200 - i * 2))" >new$i.folded
    done
    profdiff --sort=total --format=tsv base?.folded -- new?.folded >table
    column function q <table | awk -F '\t' '{ print $1, $2 != "" && $2 < 0.05 ? 2 : 1 }' | sort >expected
    profflame -o x.html base?.folded -- new?.folded
    show tests x.html | sort >found
    diff expected found
    grep -q 2 found
    grep -q 1 found
    profflame -o x.svg base?.folded -- new?.folded
    show boxes x.svg | grep -qE $'\ta .*, not significant\)' || [ "$(grep '^a ' found)" = 'a 2' ]
}

@test "names do no harm, whatever they hold" {
    python3 - <<'END' >hostile.ndjson
import json
names = ['</script><script>alert(1)</script>', ']]><!--', '"\' onload="x', '&amp;&lt;', '\u202eabc', 'a\u0001\u001b[31mb', '\n',
         'n' * 10000, '<svg onload=x>', 'd\ufffeb', '\u2028', '-->', '\ud83d\ude00 wide \u6f22\u5b57']
def row(table, **columns): print(json.dumps(dict(table=table, **columns)))
row('meta', key='version', value='2.0')
row('sources', source_id=1, source_type='</script>', source_uri='"><script>x', source_timestamp=None)
for i, name in enumerate(names, 1):
    row('functions', function_id=i, name=name, system_name=name, filename='</title>' + name, start_line=i)
    row('locations', location_id=i, function_id=i, line=i)
row('samples', sample_id=1, source_id=1, **{'.labels': [{'key': '</script>', 'str': ']]>'}]})
row('sample_values', sample_id=1, type='</script>', unit='"<b>', value=5)
for i in range(1, len(names) + 1):
    row('sample_locations', sample_id=1, depth=i, location_id=i)
END
    profflame -o x.html --title='</title><script>' hostile.ndjson
    profflame -o x.svg --min-width=0 --title='</title><script>' hostile.ndjson
    profflame --format=text hostile.ndjson >text
    python3 - <<'END'
import html.parser, re, xml.etree.ElementTree
class Parser(html.parser.HTMLParser):
    tags, handlers = [], []
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.handlers += [name for name, _ in attributes if name.startswith('on')]
parser = Parser()
parser.feed(open('x.html', encoding='utf-8').read())
assert parser.tags.count('script') == 2, parser.tags.count('script')
assert parser.tags.count('svg') == 1 and parser.tags.count('table') == 1 and not parser.handlers, parser.handlers
found = xml.etree.ElementTree.parse('x.svg')
assert len(list(found.getroot().iter('{http://www.w3.org/2000/svg}script'))) == 1
assert len(list(found.getroot().iter('{http://www.w3.org/2000/svg}rect'))) == 15
text = open('text', encoding='utf-8').read()
assert not re.search('[\0-\x09\x0b-\x1f\x7f\u202e]', text)
END
    [ "$(header title x.html)" = '</title><script>' ]
    [ "$(show cells x.html | wc -l)" -gt 0 ]
}

@test "a terminal gets text, as wide as it is; a file a page, unless its name says something else" {
    need_terminal
    printf '%s\n' 'main;work 3' 'main;rest 1' >x.folded
    script -qec 'stty cols 40 rows 20; NO_COLOR=1 profflame x.folded' /dev/null </dev/null | tr -d '\r' >found
    printf '%s\n' x.folded 'samples: 4 in 2 records' '▏main 100.00 %' '▏rest     ▏work 75.00 %' >expected
    diff expected <(sed 's/ *$//' found)
    profflame x.folded | head -c 15 | grep -qF '<!DOCTYPE html>'
    profflame -o x.svg x.folded
    grep -q '<svg' x.svg
    profflame -o x.txt --width=40 x.folded
    diff expected x.txt
    profflame -o y.svg --format=html x.folded
    grep -qF '<!DOCTYPE html>' y.svg
}

@test "a page and a picture are the same bytes on one thread and on several" {
    seq 20000 | awk '{ printf "main;f%d;g%d;h%d %d\n", $1 * 7919 % 997, $1 * 31 % 4999, $1, $1 }' >x.folded
    for format in html svg; do
        profflame --threads=1 --format=$format x.folded >one
        profflame --threads=4 --format=$format x.folded >several
        same one several
    done
    [ "$(show cells <(profflame x.folded) | awk '{ sum += $NF } END { print sum }')" -eq 200010000 ]
}

@test "a side that is missing, and a picture of a kind that is not written, are wrong usage" {
    printf 'a;b 1\n' >x.folded
    try profflame x.folded --
    says 2 'profflame: expected files on both sides of --, found none behind it'
    try profflame -o x.png x.folded
    says 2 'profflame: -o: expected a name that ends in .html, .svg or .txt, or --format, found "x.png"'
    [ ! -e x.png ]
    try profflame --format=svg -o x.png x.folded
    says 0
}

@test "a picture has the theme and the size of text that are asked for, and a script only in a file of its own" {
    printf 'main;f 3\nmain;g 2\n' >x.folded
    profflame -o x.svg x.folded
    grep -q '^<svg.* class="picture profpipe auto".* width="880"' x.svg
    grep -q '^<script>' x.svg
    profflame -o x.svg --script=no --theme=dark --font-size=24 x.folded
    grep -q '^<svg.* class="picture profpipe dark"' x.svg
    grep -qF '<rect x="10" y="116" width="516" height="35"' x.svg
    grep -qF ' font-size="24">f</text>' x.svg
    run ! grep -q '<script' x.svg
    echo 'm;abcdefghijklmnopqrstuvwxyz 1' | profflame -o cut.svg --width=220 --font-size=24
    grep -qE 'class="on".*>[^<]{10,13}</text>' cut.svg # of 14.4 pixels each, in 194
    profflame --format=svg --standalone=no --script=yes x.folded >part
    head -n 1 part | grep -q '^<svg.*aria-label="x.folded"'
    run ! grep -qE '<script|<[?]xml' part
    # all rules are of pictures
    sed -n '/<style>/,/<.style>/p' part | grep '{' | grep -v '@media' >rules
    [ "$(wc -l <rules)" -gt 15 ]
    run ! grep -vE '^(<style>.*)?$|^ *[.]profpipe' <(sed 's/^<style>.*//' rules)
    profflame -o x.html --theme=dark x.folded
    [[ $(header view x.html) == *"'theme': 'dark'"* ]]
    run ! grep -q 'CDATA' x.html
    try profflame --theme=blue x.folded
    says 2 'profflame: --theme: expected auto, light or dark, found "blue"'
    try profflame --font-size=3 x.folded
    says 2 'profflame: --font-size: expected pixels, from 4 to 100, found "3"'
}

@test "pictures of every sample are sound XML" {
    need xmllint
    for file in "$ROOT"/samples/{rprof/*.out,pprof/*.gz,perf/*.txt,folded/*.folded,speedscope/*.json,perun/*.perf}; do
        profflame -q --format=svg "$file" | xmllint --noout --nonet - || fail "$file"
    done
}

@test "a picture has no more colours than the terminal says that it shows" {
    local said
    need_terminal
    printf 'main;f 3\nmain;g 2\n' >x.folded
    drawn() { script -qec 'stty cols 40 rows 20; profflame x.folded' /dev/null </dev/null; }
    TERM=xterm COLORTERM=truecolor drawn | grep -o $'\33\\[48;2;[0-9;]*' | tr -d $'\33[' >colours
    [ -s colours ]
    TERM=xterm-256color drawn >found
    run ! grep -q '48;2;' found
    # the nearest of a cube of 6 * 6 * 6, which is behind 16 others
    awk -F';' '{ print 16 + 36 * int($3 / 51 + 0.5) + 6 * int($4 / 51 + 0.5) + int($5 / 51 + 0.5) }' colours |
        diff - <(grep -o $'\33\\[48;5;[0-9]*' found | cut -d ';' -f 3)
    for said in linux vt100 screen xterm; do
        TERM=$said drawn >found
        grep -q main found
        ! grep -q $'\33\\[48;' found || fail "$said"
    done
}

# A profile of a sample in each line of a file: "FILE LINE" on standard input.
samples_at() {
    awk 'BEGIN { print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
            print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}" }
        ($1 in ids) == 0 { ids[$1] = ++n
            printf "{\"table\":\"functions\",\"function_id\":%d,\"name\":\"f%d\",\"system_name\":\"f\",\"filename\":\"%s\",\"start_line\":0}\n", n, n, $1 }
        { printf "{\"table\":\"locations\",\"location_id\":%d,\"function_id\":%d,\"line\":%d}\n", NR, ids[$1], $2
            printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n", NR
            printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"n\",\"unit\":\"count\",\"value\":1}\n", NR
            printf "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":1,\"location_id\":%d}\n", NR, NR }'
}

@test "a page has the lines of source files around those with samples, as far as there is room" {
    need python3
    seq 1 200 | sed 's/^/line /' >x.c
    printf 'x.c %d\n' 40 90 151 9223372036854775807 | samples_at >rows
    profflame --source -o x.html rows
    show excerpts x.html | same - <(printf '%s\n' 'x.c 10 111 line 120' 'x.c 121 61 line 181')
    # the limit is that of all: the file with the most samples comes first, and a small one has room behind a large one
    awk 'BEGIN { for (i = 1; i <= 12000; i++) printf "%063d\n", i }' >large.c
    cp large.c larger.c
    { printf 'larger.c %d\n' {30..12000..60} 30; printf 'large.c %d\n' {30..12000..60}; printf 'x.c 1\nnone.c 1\n'; } | samples_at >rows
    try profflame --source -o x.html rows
    says 0 'profflame: --source: 1 source file could not be read (see --source-path), such as "none.c": No such file or directory' \
        'profflame: --source: source files without room in 1 MiB, left out: 1'
    show excerpts x.html | cut -d ' ' -f 1-3 | same - <(printf '%s\n' 'larger.c 1 12000' 'x.c 1 31')
    show page x.html | grep -q '"excerpts": 2, "unread": 1, "beyond": 1'
    [ "$(grep -c '^<script>' x.html)" -eq 2 ]
    profflame -o y.html rows
    [ "$(grep -c '^<script>' y.html)" -eq 1 ]
    printf 'f;g 3\n' >x.folded
    try profflame --source -o x.html x.folded
    says 0 'profflame: --source: no frame has a file and a line'
    [ "$(grep -c '^<script>' x.html)" -eq 1 ]
    try profflame --source -o x.svg x.folded
    says 2 'profflame: --source needs --format=html'
    try profflame --trim-path=x -o x.html x.folded
    says 2 'profflame: --source-path and --trim-path need --source'
}

@test "a large source file is read once under all its names, and only what fits in the page is copied" {
    need python3
    [ -r /proc/self/io ] || skip 'the system does not count bytes'
    yes "$(printf '%01999d' 0)" | head -n 10000 >big.c
    names() {  # count: names of the file from here, and as many from the root
        for ((i = 0; i < $1; i++)); do
            printf "%s%.*sbig.c\n" '' $((2 * i)) "$dots" "$PWD/" $((2 * i)) "$dots"
        done
    }
    dots=$(printf './%.0s' {1..50})
    # all lines of the file, under each name
    names 5 | awk '{ for (i = 30; i < 10000; i += 60) print $0, i }' | samples_at >rows
    (ulimit -v 200000; profflame --source -o x.html rows 2>said)
    same - said <<<'profflame: --source: source files without room in 1 MiB, left out: 10'
    # a few of them; a file with a total between those of the names comes behind them
    seq 9 >x.c
    { names 50 | sed 's/$/ 9970/'; printf '%s\n' 'x.c '{1,2} 'big.c 9970'{,}; } | samples_at >rows
    (profflame -q --source -o x.html rows; awk '$1 == "rchar:" { print $2 }' "/proc/$BASHPID/io") >bytes
    [ "$(cat bytes)" -lt 30000000 ]
    show excerpts x.html | cut -d ' ' -f 1 | tail -n 1 | same - <(echo x.c)
    # files of two archives are two
    for name in one two; do
        python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1] + ".zip", "w").writestr(sys.argv[1], sys.argv[1])' $name
    done
    printf '%s 1\n' one two | samples_at >rows
    profflame --source --source-path=one.zip:two.zip -o x.html rows
    show excerpts x.html | same - <(printf '%s\n' 'one 1 1 one' 'two 1 1 two')
}
