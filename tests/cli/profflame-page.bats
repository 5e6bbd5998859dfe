#!/usr/bin/env bats
# The interactive page of profflame, as browsers show it: tests/browser/flame.py does what a person would.
load helpers
load pprof-helpers

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    command -v profflame chromium python3 >/dev/null || return 0
    printf '%s\n' 'main;parse;read 100' 'main;parse;scan 300' 'main;solve;matmul;dot 400' \
        'main;solve;dot 100' 'idle 100' >calls.folded
    profflame -o calls.html calls.folded
}

setup() {
    plain_only 'what a browser makes of a page does not hang on how the tool was built'
    need profflame chromium python3
    T=$BATS_TEST_TMPDIR
    cd "$T"
    CALLS=$BATS_FILE_TMPDIR/calls.html
}

check() {  # name page [argument ...]
    python3 "$ROOT/tests/browser/flame.py" "$@"
}

check_or_skip() {
    local status=0
    check "$@" 2>messages || status=$?
    [ $status -ne 77 ] || skip "$(tail -n 1 messages)"
    cat messages
    return $status
}

@test "boxes are as wide as their sums, and nothing is asked of any network" {
    check opens "$CALLS"
}

@test "zoom by click, wheel and keys, and back as the browser goes" {
    check zoom "$CALLS"
}

@test "keys go to the parent, to children and to neighbours" {
    check keys "$CALLS"
}

@test "what is pointed at is told, and lit wherever it is; its text can be copied" {
    check hover "$CALLS"
}

@test "search by an expression: shares, colours, the next match, what is wrong with it" {
    check search "$CALLS"
}

@test "callers, a sandwich, an icicle" {
    check modes "$CALLS"
}

@test "callers come in the order of still pictures" {
    for name in b a B é '😀' $'\uff21' Z; do printf 'main;%s 10\nmain;x;%s 20\n' "$name" "$name"; done >order.folded
    profflame -o order.html order.folded
    profflame --inverted -o order.svg order.folded
    check order order.html order.svg
}

@test "menus and tooltips stay in the window, one input at a time, one way out, links that say what is gone" {
    check manners "$CALLS"
}

@test "a picture taller than the window: opens at the fork, scrolls, has a map; controls for fingers" {
    { echo 'other 3'; echo "$(seq -s ';' -f 't%g' 0 59);left 57"; echo "$(seq -s ';' -f 't%g' 0 59);right;$(seq -s ';' -f 'r%g' 80) 40"; } >tall.folded
    profflame -o tall.html tall.folded
    check tall,fingers tall.html
}

@test "focus, ignore and hide by expression, in the address and in the menu of a box" {
    check refine,fields "$CALLS"
}

@test "refined pictures have what proffilter leaves" {
    local file=$ROOT/samples/rprof/lines.out mode
    profflame -o page.html "$file"
    proffilter -q --focus=lapply --ignore=unique --hide='FUN|^file:none|eval' "$file" | ndjson2folded -q --type=cpu >refined.folded
    [ "$(wc -l <refined.folded)" -gt 3 ]
    for mode in calls callers time; do
        check refined page.html '#focus=lapply&ignore=unique&hide=FUN|^file:none|eval' refined.folded $mode
    done
}

@test "what the page shows is saved as SVG and as PNG" {
    check save "$CALLS" .
}

@test "an SVG zooms and searches when it is opened by itself" {
    profflame -o calls.svg --title="$(printf 'long %.0s' {1..40})" "${CALLS%/*}/calls.folded"
    check svg calls.svg
    profflame -o small.svg --width=120 "${CALLS%/*}/calls.folded"
    check small_svg small.svg
    printf 'm;%s\n' 'abcdef_one_xyz 5' 'abcdef_two_xyz 5' 'abczzzzz_q 4' >alike.folded
    profflame -o alike.svg --width=180 alike.folded
    check alike_svg alike.svg
}

@test "an SVG in a page of others changes nothing there" {
    local theme
    {
        echo '<!DOCTYPE html><p class="faint">x</p><svg id="own"><text>x</text><text class="faint">x</text><rect class="box"/><rect class="paper"/></svg>'
        for theme in dark light; do
            echo "<div id=$theme>"
            profflame --format=svg --standalone=no --theme=$theme "${CALLS%/*}/calls.folded"
            echo '</div>'
        done
    } >embedded.html
    check embedded embedded.html
}

@test "the script of a page has 90 KB at most" {
    local size
    size=$(awk '/^<script>/ { inside = 1 } inside; /<.script>/ { inside = 0 }' "$CALLS" | wc -c)
    [ "$size" -gt 10000 ]
    [ "$size" -le $((90 * 1024)) ] || fail "$size"
}

@test "the address says what is shown" {
    check fragment "$CALLS"
}

@test "the table of functions and the tree do what the picture does" {
    check panels,details "$CALLS"
}

@test "names in the tree have room beside sums of many types" {
    profflame -o page.html "$ROOT/samples/pprof/go-heap.pb.gz"
    check columns page.html
}

@test "no link makes a page search without end" {
    echo "main;$(printf '%040d!' 0 | tr 0 a) 1" >long.folded
    profflame -o page.html long.folded
    check endless page.html
}

@test "light, dark, paper and forced colours" {
    check themes "$CALLS"
}

# Stacks of few functions, which call themselves and each other: many boxes of one name, blocks of equal frames.
@test "every box, function and search has the sum that its stacks have" {
    awk 'BEGIN { srand(7); for (i = 0; i < 1500; i++) {
        depth = 1 + int(rand() * 9); line = "f" int(rand() * 3); trunk = int(rand() * 5)
        for (d = 0; trunk > 2 && d < 60; d++) line = line ";f" (trunk == 3 ? 2 : 3)
        for (d = 1; d < depth; d++) line = line ";" (rand() < 0.01 ? "f2x" : "f" int(rand() * 6))
        sums[line] += 1 + int(rand() * 50) } for (line in sums) print line, sums[line] }' >random.folded
    profflame -o page.html random.folded
    check judged page.html random.folded
}

@test "functions have the colours that they have in still pictures" {
    local palette
    for palette in hot r file type; do
        profflame --colors="$palette" -o "$palette.svg" "$ROOT/samples/rprof/lines.out"
    done
    profflame -o page.html "$ROOT/samples/rprof/lines.out"
    check colours page.html {hot,r,file,type}.svg
    profflame --colors=package -o package.svg "$ROOT/samples/pprof/go-cpu.pb.gz"
    profflame -o page.html "$ROOT/samples/pprof/go-cpu.pb.gz"
    check colours page.html package.svg
}

@test "screens of other resolutions, one after the other" {
    check screens "$CALLS"
}

@test "a narrow screen that is touched" {
    check narrow "$CALLS"
}

@test "data that is damaged, an old browser, and no scripts leave the still picture" {
    cp "$CALLS" page.html
    check damaged page.html
}

# One sample: its number, source, milliseconds, bytes, function, and thread if it has one.
sample() {
    printf '{"table":"samples","sample_id":%d,"source_id":%d%s}\n' "$1" "$2" \
        "${6:+,\".labels\":[{\"key\":\"thread\",\"str\":\"$6\"\}]}"
    printf '{"table":"sample_values","sample_id":%d,"type":"cpu","unit":"nanoseconds","value":%d}\n' "$1" "${3}000000"
    printf '{"table":"sample_values","sample_id":%d,"type":"alloc","unit":"bytes","value":%d}\n' "$1" "$4"
    printf '{"table":"sample_locations","sample_id":%d,"depth":%d,"location_id":%d}\n' "$1" 1 "$5" "$1" 2 1
}

rows() {
    cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"a","source_uri":"one","source_timestamp":null}
{"table":"sources","source_id":2,"source_type":"a","source_uri":"dir/two","source_timestamp":1700000000.25}
{"table":"functions","function_id":1,"name":"main","system_name":"main","filename":"dir/m.c","start_line":1}
{"table":"functions","function_id":2,"name":"f","system_name":"f","filename":"dir/f.c","start_line":7}
{"table":"functions","function_id":3,"name":"g","system_name":"g","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"locations","location_id":2,"function_id":2,"line":0}
{"table":"locations","location_id":3,"function_id":3,"line":0}
END
    sample 1 1 10 1024 2
    sample 2 1 20 1024 2 'w =1'
    sample 3 2 30 6144 3
    sample 4 2 20 0 2
}

@test "values, sources, labels and the order of time are chosen in the page" {
    rows >rows.ndjson
    profflame --type=cpu -o page.html rows.ndjson
    check choices page.html
}

@test "samples with times are at their times, and a range of time is selected" {
    while read -r comm tid time name; do
        printf '%s %d/%d %s000000: 10000000 cpu-clock: \n\t1 %s (/a)\n\t2 main (/a)\n\n' $comm $tid $tid $time $name
    done >text <<'END'
a 1 1.000 f
a 1 1.010 g
b 2 1.020 f
a 1 1.050 f
END
    profflame -o page.html text
    check times page.html
    # lanes of what is asked for
    profflame --lane=label:comm -o page.html text
    check lanes page.html a b
}

@test "two sides: shares, changes and what has vanished" {
    printf '%s\n' 'main;f 50' 'main;g 50' 'main;old 25' >base.folded
    printf '%s\n' 'main;f 50' 'main;g 150' >new.folded
    profflame -o page.html base.folded base.folded -- new.folded new.folded
    check sides page.html
}

@test "what profdiff's test takes for noise is grey" {
    local i
    for i in 1 2 3; do
        printf '%s\n' "main;g $((1000 + i))" "main;n $((500 + i * 40))" 'main;rest 8000' >"base$i.folded"
        printf '%s\n' "main;g $((1900 - i))" "main;n $((580 + (i % 2) * 30 - i * 5))" 'main;rest 7100' >"new$i.folded"
    done
    profflame -o page.html base?.folded -- new?.folded
    check noise page.html
}

@test "names of files do no harm" {
    printf 'main;%s 10\n' '</script><script>harmed=1</script>' '<img src=x onerror=harmed=1>' ']]>' '-->' \
        $'"\'><b>x</b>' $'a\u202eb\u2066c' '&lt:&#x202e:' '%41&zoom=x,2' __proto__ constructor $'\001\033[31m' \
        "$(printf '%010000d' 0)" >hostile.folded
    profflame -o page.html hostile.folded
    check hostile page.html
    profflame --min-width=0 -o page.svg hostile.folded
    check hostile_svg page.svg
}

# A profile of the functions main at m.c:2, f at m.c:5, which main calls there, and g in a file that is not there.
in_files() {
    cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"a","source_uri":"one","source_timestamp":null}
{"table":"functions","function_id":1,"name":"main","system_name":"main","filename":"m.c","start_line":1}
{"table":"functions","function_id":2,"name":"f","system_name":"f","filename":"m.c","start_line":4}
{"table":"functions","function_id":3,"name":"g","system_name":"g","filename":"gone.c","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":2}
{"table":"locations","location_id":2,"function_id":2,"line":5}
{"table":"locations","location_id":3,"function_id":3,"line":1}
END
    sample 1 1 10 1024 2
    sample 2 1 20 1024 2
    sample 3 1 30 6144 3
}

@test "lines of source files have the figures of profsum" {
    local file
    for file in pprof/go-cpu.pb.gz pprof/go-heap.pb.gz pprof/cpp-cpu.pb.gz rprof/lines.out; do
        profflame -q --source --trim-path=/opt/profpipe-build -o page.html "$ROOT/samples/$file"
        profsum -q --samples --format=json "$ROOT/samples/$file" >samples.json
        check source page.html samples.json "$ROOT/samples/${file%/*}"
    done
}

@test "a box shows its line, and a line its boxes; a file does no harm" {
    printf '%s\n' 'int main() {' $'\tf();' '}' $'// </script><img src=x onerror=harmed=1>\u202e' 'void f() {}' '<b>x</b>' >m.c
    in_files >rows.ndjson
    profflame -q --type=cpu --source -o page.html rows.ndjson
    check lines page.html
}

@test "no samples, one sample, and a stack of 10,000 frames" {
    long_only
    echo '{"table":"meta","key":"version","value":"2.0"}' >empty.ndjson
    profflame -o empty.html empty.ndjson
    check odd empty.html 'no values'
    echo 'main;one 1' >one.folded
    profflame -o one.html one.folded
    check odd one.html 100.00
    { for i in {1..10000}; do printf 'f%d;' $((i % 7)); done; echo 'g 5'; } >deep.folded
    profflame -o deep.html deep.folded
    check odd deep.html f1
}

@test "lines and names that are rare are shown as they are, and folded as ndjson2folded does" {
    local line=34359738375 # more than 32 bits
    cat >rows.ndjson <<END
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"a","source_uri":"one","source_timestamp":null}
{"table":"functions","function_id":1,"name":"a;b\nc\rd","system_name":"a","filename":"dir/a.c","start_line":$line}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
{"table":"sample_values","sample_id":1,"type":"n","unit":"count","value":5}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
END
    profflame -o page.html rows.ndjson
    check rare page.html "$line" "$(ndjson2folded -q rows.ndjson)"
}

@test "labels of very many values are all there" {
    long_only
    rows | sed '/"samples"/,$d' >rows.ndjson
    awk 'BEGIN { for (i = 1; i <= 200000; i++) printf \
        "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1,\".labels\":[{\"key\":\"request\",\"num\":%d}]}\n" \
        "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"n\",\"unit\":\"count\",\"value\":1}\n" \
        "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":1,\"location_id\":%d}\n", i, i, i, i, i % 3 + 1 }' >>rows.ndjson
    profflame -o page.html rows.ndjson
    check many page.html 200000
}

# Names with self and total, in units of the type, of the 20 functions that profsum shows first, without those
# that stand for something else, such as <no stack>: pprof has no names for them.
twenty() {  # file
    profsum -q -n 30 --format=json "$1" |
        jq -c '[.rows[] | select(.function | startswith("<") | not) | [.function, .self, .total]][:20] | sort'
}

@test "figures of 20 functions are those of profsum and pprof, in every view of five profiles" {
    need jq go
    local file unit
    for file in pprof/go-cpu.pb.gz pprof/go-heap.pb.gz rprof/plain.out speedscope/words.speedscope.json folded/kernel.folded; do
        file=$ROOT/samples/$file
        twenty "$file" >expected
        [ "$(jq length expected)" -eq 20 ]
        unit=$(profsum -q --format=json "$file" | jq -r '{nanoseconds: "ns", microseconds: "us", bytes: "B"}[.unit] // ""')
        ndjson2pprof -q "$file" >x.pb.gz
        go_top "$(profsum -q --format=json "$file" | jq -r .type)" x.pb.gz "$unit" |
            jq -Rn --slurpfile wanted expected '[inputs | [scan("^([^ ]+) ([^ ]+) (.*)$")[]] | [.[2], (.[0] | tonumber), (.[1] | tonumber)]] |
                map(select(.[0] as $name | any($wanted[0][]; .[0] == $name))) | sort' -c >theirs
        same expected theirs || fail "$file" "$(diff <(jq -c '.[]' expected) <(jq -c '.[]' theirs))"
        profflame -q -o page.html "$file"
        check figures page.html expected
    done
}

# Go, C++, C, R, JavaScript, and names as Java, Python, Rust, Ruby and C# have them.
@test "text can be read, marks are seen, all is in the window and not over other text, and no two labels of a row are alike" {
    local file pages=()
    for file in pprof/{go-cpu,go-heap,cpp-cpu}.pb.gz cpuprofile/words.cpuprofile speedscope/words.speedscope.json \
        perf/inlined.txt folded/kernel.folded; do
        profflame -q -o "${file##*/}.html" "$ROOT/samples/$file"
        pages+=("${file##*/}.html")
    done
    profflame -q --source -o lines.html "$ROOT/samples/rprof/lines.out"
    profflame -q -o diff.html "$ROOT/samples/rprof/plain.out" -- "$ROOT/samples/rprof/lines.out"
    awk 'BEGIN { srand(5) } { names[NR] = $0 } END { for (i = 0; i < 200; i++) {
        line = "main"; for (depth = 1 + int(rand() * 6); depth > 0; depth--) line = line ";" names[1 + int(rand() * NR)]
        print line, 1 + int(rand() * 900) } }' >names.folded <<'END'
com.example.shop.web.OrderController.list
com.example.shop.web.OrderController.listAll
com.example.shop.web.CustomerController.list
/usr/lib/python3/site-packages/django/core/handlers/base.py:get_response
/usr/lib/python3/site-packages/django/core/handlers/exception.py:get_response
<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter
core::ptr::drop_in_place<alloc::string::String>
core::ptr::drop_in_place<alloc::vec::Vec<u8>>
ActiveRecord::Relation#load
ActiveRecord::Relation#records
Shop!Shop.Services.OrderService+<GetAsync>d__3.MoveNext()
Shop!Shop.Services.OrderService+<ListAsync>d__4.MoveNext()
END
    profflame -q -o names.html names.folded
    check looks "${pages[@]}" lines.html diff.html names.html
}

@test "axe-core finds nothing that bars people from a view" {
    need_axe
    profflame -q --source -o lines.html "$ROOT/samples/rprof/lines.out"
    profflame -q -o diff.html "$ROOT/samples/rprof/plain.out" -- "$ROOT/samples/rprof/lines.out"
    profflame -q -o times.html "$ROOT/samples/perf/chain.txt"
    check access "$CALLS" "$AXE" '' '#theme=dark' '#panel=functions' '#panel=tree' '#panel=details&zoom=solve' \
        '#mode=callers&search=a' '#sandwich=solve&panel=tree' '#theme=dark&panel=tree'
    check access lines.html "$AXE" '#panel=source'
    check access diff.html "$AXE" '' '#panel=functions'
    check access times.html "$AXE" '#mode=time'
}

@test "Firefox does what Chromium does" {
    long_only
    command -v firefox >/dev/null || need firefox-esr
    BROWSER=firefox check_or_skip opens,zoom,keys,hover,search,modes,fragment,panels,themes,screens,narrow,manners,refine "$CALLS"
}

# Aimed at are 1,200, 100 and 50 ms; a machine that has other work to do takes many times as long.
@test "a hundred thousand stacks are painted, zoomed and searched at once" {
    plain_only "it is slower"
    awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++) {
        if (depth > 4) depth = int(rand() * depth)
        for (more = 1 + int(rand() * 9); more > 0; more--) path[depth++] = "app::class_" int(rand() * 99) "::function_" int(rand() * 5000)
        line = "main"; for (d = 0; d < depth; d++) line = line ";" path[d]
        print line, 1 + int(rand() * 1000) } }' >many.folded
    profflame -o page.html many.folded
    check scale page.html 60000 20000 20000
}
