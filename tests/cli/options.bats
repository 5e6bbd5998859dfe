#!/usr/bin/env bats
# The command line: each option, short and long, and each wrong usage.
load helpers

@test "-h and --help show usage, the tool's own options, examples, and the names of the common ones, in 80 columns" {
    takes_long
    for tool in $EVERY_TOOL; do
        try $tool --help
        says 0
        cp stdout long
        grep -qE "^Usage: $tool \[options\] ((statement )?\[file \.\.\.\]( \[-- file \.\.\.\])?|base new \| base \.\.\. -- new \.\.\.)$" long
        [ "$(wc -L <long)" -le 80 ]
        $tool --help=tsv >listed
        awk -F '\t' '
            NR == FNR { all[$1, $3]; option[$3]; next }
            /^Options of many tools/ { common = 1 }
            { for (o in option) if (match($0, o "([ =\\[]|$)")) found[common ? "common" : "own", o] }
            END { for (one in all) if (!(one in found)) { split(one, part, SUBSEP); print part[2] " is not among the " part[1] " options" } }
        ' listed long >missing
        [ ! -s missing ] || [[ $tool = *2ndjson ]] || fail "$tool" "$(cat missing)"
        grep -q "^common" listed
        # at most six lines for those
        [ "$(sed -n '/^Options of many tools/,/^Exit status/p' long | wc -l)" -le 8 ]
        # what is said of one is short, but for the many values of --by
        awk -F '\t' '$3 != "--by" && split($5, words, " ") > 15 { print $3, $5; long = 1 } END { exit long }' listed
        try $tool -h
        says 0
        same stdout long
    done
}

@test "help lists what each tool has of its own, and then what others have, too" {
    grep -qE -- '--from-code.*--source-uri.*--timestamp.*--output.*--strict ' <(rprof2ndjson -h | tr '\n' ' ')
    grep -qE -- '--lossless .*--allow-empty ' <(profcat -h | tr '\n' ' ')
    grep -qE -- '--no-aggregate .*--types=.*--canonical .*--level.*--lossless .*--allow-empty ' \
        <(ndjson2pprof -h | tr '\n' ' ')
}

# The files that examples name.
example_files() {
    local file
    for file in $("$ROOT/tests/samples"); do cp "$file" "cpu.$(sed 's/^[^.]*[.]//' <<<"${file##*/}")"; done
    cp "$SAMPLES/lines.out" Rprof.out
    cp "$SAMPLES/memory.out" memory.out
    cp "$ROOT/samples/rprofmem/words.out" Rprofmem.out
    for name in cpu cpu-1 old; do
        cp "$ROOT/samples/pprof/go-cpu.pb.gz" $name.pb.gz
    done
    cp "$ROOT/samples/pprof/go-labels.pb.gz" new.pb.gz
    cp "$ROOT/samples/stackprof/wall.json" stackprof.json
    cp "$ROOT/samples/trace/clang.json" trace.json
    cp "$ROOT/samples/perf/chain.txt" perf.txt
    cp "$ROOT/samples/stacks/jstack.txt" threads.txt
    cp "$ROOT/samples/firefox/go-cpu.firefox.json" cpu.firefox.json
    cp "$ROOT/samples/bench/quick.txt" bench.txt
    cp "$ROOT/samples/vtune/words.csv" cpu.csv
    cp "$ROOT/samples/vsprof/words.csv" CallTreeSummary.csv
    cp "$ROOT/samples/sqlite/words.db" profiles.db
    for name in base-1 base-2 base-3 new-1 new-2 new-3; do
        sed "s/^\"mean\"/\"$name\" &/" "$SAMPLES/plain.out" >$name.out
    done
    profcat Rprof.out >rows.ndjson
    prof2to1 -q Rprof.out >old.ndjson
    mkdir bin
    printf '#!/bin/sh\ncat perf.txt\n' >bin/perf
    # dot is tried in profgraph.bats, where it is installed
    printf '#!/bin/sh\ncat >read\necho "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"\n' >bin/dot
    chmod +x bin/perf bin/dot
}

@test "the examples in help run" {
    local tool example
    example_files
    while read -r tool; do
        while IFS= read -r example; do
            grep -qxF "  $example" <("$tool" --help) || fail "$tool" "$example"
            PATH=$PWD/bin:$PATH bash -o pipefail -c "$example" >out 2>err || fail "$example" "$(cat err)"
            [ -s out ] || [[ $example = *' -o '* || $example = *' > '* || $example = *validate* ]] || fail "$example" "no output"
        done < <("$tool" --help=examples)
        [ "$("$tool" --help=examples | wc -l)" -eq 2 ] || fail "$tool"
    done <<<"$EVERY_TOOL"
}

@test "old names of options are understood, and not listed" {
    input_of profcat >a
    for tool in profsum profsql profplot; do
        try $tool --max-rows=x a
        says 2 "$(cat stderr)"
        try $tool --max-rows=1 --rows=2 a
        says 2 "$tool: --rows: comes twice"
        run ! grep -qE -- '--rows' <($tool --help; $tool --help=bash; $tool --help=zsh; $tool --help=fish; $tool --help=mdoc-options)
    done
    same <(profsum --rows=1 --format=tsv a) <(profsum --max-rows=1 --format=tsv a)
    same <(profsql --rows=1 --format=tsv 'SELECT * FROM samples' a) <(profsql -n 1 --format=tsv 'SELECT * FROM samples' a)
    same <(profplot --rows=1 --kind=nodes a) <(profplot --max-rows=1 --kind=nodes a)
    same <(profdiff --most=1 --format=tsv --allow-equal a a) <(profdiff --max-rows=1 --format=tsv --allow-equal a a)
    run ! grep -qE -- '--most' <(profdiff --help)
}

@test "-V and --version show one line" {
    for tool in $EVERY_TOOL; do
        try $tool --version
        says 0
        grep -qxE "$tool \(profpipe\) [0-9]+\.[0-9]+\.[0-9]+" stdout
        [ "$(wc -l <stdout)" -eq 1 ]
        cp stdout long
        try $tool -V
        says 0
        same stdout long
    done
}

@test "help lists options that the tool has, and no others" {
    for tool in $EVERY_TOOL; do
        "$tool" --help=tsv | cut -f 3 | sed 's/[=[].*//' | sort -u >has
        "$tool" --help >help
        grep -oE '^ +(-., )?--[a-z0-9-]+' help | grep -oE -- '--.*' | sort -u >listed
        grep -q '^Exit status: 0 done, ' help
        comm -13 has listed >others
        [ ! -s others ] || fail "$tool" "$(cat others)"
    done
}

@test "help says first what a tool is for, as the list of tools does" {
    profpipe | sed -n 's/^  \([a-z0-9]*\)  *\([A-Z].*\)/\1 \2/p' >summaries
    [ "$(wc -l <summaries)" -eq "$(grep -vcx profpipe <<<"$EVERY_TOOL")" ]
    while read -r tool summary; do
        "$tool" --help | sed -n '2,/^$/p' | tr '\n' ' ' >said
        grep -qF "$summary" said || fail "$tool: $summary" "$(cat said)"
    done <summaries
}

@test "a number begins with any digit" {
    input_of profvalidate >in
    for digit in 1 2 3 4 5 6 7 8 9; do
        profvalidate -q --max-errors=$digit in
        profsort --memory=${digit}M in >/dev/null
    done
    profvalidate -q --max-errors=0 in
    for wrong in :1 /1 ' 1' -1 +1; do
        try profvalidate --max-errors="$wrong" in
        says 2 "profvalidate: --max-errors: expected a number, found \"$wrong\""
    done
}

@test "help on a full disk is a system error" {
    [ -c /dev/full ] || skip "no /dev/full here"
    status=0
    profcat --help >/dev/full 2>stderr || status=$?
    : >stdout
    says 3 'profcat: cannot write <stdout>: No space left on device'
}

@test "unknown options are usage errors" {
    for tool in $(some_tools "$EVERY_TOOL" profsql profdiff); do
        try $tool --nope
        says 2 "$tool: unknown option --nope (--help lists the options)"
        try $tool -x
        says 2 "$tool: unknown option -x (--help lists the options)"
        try $tool --help=nope
        says 2 "$tool: --help: expected bash, zsh or fish, found \"nope\""
    done
}

@test "an unknown option suggests the nearest, an ambiguous one says what it may be" {
    try ndjson2pprof --cannonical
    says 2 'ndjson2pprof: unknown option --cannonical: did you mean --canonical? (--help lists the options)'
    try ndjson2pprof --tpyes=a/b
    says 2 'ndjson2pprof: unknown option --tpyes: did you mean --types? (--help lists the options)'
    try rprof2ndjson --outptu x
    says 2 'rprof2ndjson: unknown option --outptu: did you mean --output? (--help lists the options)'
    try ndjson2pprof --l
    says 2 'ndjson2pprof: ambiguous option --l: --label-source or --level? (--help lists the options)'
    # nothing is near, or it is too long to be anything
    try ndjson2pprof --elephant
    says 2 'ndjson2pprof: unknown option --elephant (--help lists the options)'
    long=$(head -c 5000 /dev/zero | tr '\0' a)
    try ndjson2pprof --$long
    [ $status -eq 2 ]
    grep -qE '^ndjson2pprof: unknown option --a{255} \(' stderr
}

@test "an unknown option names the tool that has it, for every option of every tool" {
    takes_long
    local tool option other
    for tool in $EVERY_TOOL; do
        "$tool" --help=tsv | cut -f 3 | sed "s/^/$tool /"
    done >all
    for option in $(cut -d ' ' -f 2 all | sort -u); do
        # a tool that has neither it nor one that begins so
        for tool in profcat profsort profmodel prof2to1; do
            ! grep -q "^$tool $option" all || continue
            try $tool $option=x
            [ "$status" -eq 2 ]
            [[ $option =~ ^--(allow-empty|strict)$ ]] && break
            other=$(sed -nE "s/^$tool: unknown option $option: (try|did you mean) ([^ ]*).*/\2/p" stderr)
            [ "$other" = prof2to1 ] || grep -q "^$other $option" all || [ "$option" = --lines ] || fail "$option" "$(cat stderr)"
            break
        done
    done
    # what is shared by names goes to one of those that have it
    try profsum --focus=x
    says 2 'profsum: unknown option --focus: try proffilter --focus (--help lists the options)'
}

@test "names of options of pprof, flamegraph.pl and samtools lead to ours" {
    local command meant
    while IFS=: read -r command meant; do
        try $command
        says 2 "${command%% *}: unknown option $(cut -d ' ' -f 2 <<<"${command%%=*}"): $meant (--help lists the options)"
    done <<'END'
profsum -top -cum:profsum does that without an option
profsum -cum:did you mean --sort=total?
profflame -cum:try profsum --sort=total
profsum -diff_base=a b:try profdiff OLD NEW
profsum --diff_base a b:try profdiff OLD NEW
profsum --tagfocus=a:try proffilter --label=KEY=RE
proffilter -tagfocus=a:did you mean --label=KEY=RE?
profsum -tagignore=a:try proffilter --no-label=KEY=RE
profsum -sample_index=alloc_space:did you mean --type?
profsum -nodecount=5:did you mean --max-rows=N?
profdiff -nodecount=5 a b:did you mean --max-rows=N?
profsum --label=user=x:try proffilter --label
profsum -http=x:try profflame -o FILE.html
profsum -peek=x:did you mean --peek?
profsum -output=x:did you mean --output?
profflame --countname=x:see profpipe-flamegraph(7)
profsum -base=a b:try profdiff OLD NEW
profdiff -base=a b:try profdiff OLD NEW
proffilter -traces:try profsum --traces
profflame -unit=ms:try profsum --format=tsv
profagg -tags:try profsum --by=label
profsum --granularity=lines:did you mean --by?
profflame --minwidth=1:did you mean --min-width?
profsum --title=x:try profflame --title
profflame --fonttype=x:see profpipe-flamegraph(7)
profsum -@ 4:did you mean --threads?
profsum -O json:did you mean --format?
profcat -j 4:did you mean --threads?
END
    try profsum -help
    says 0
    # every page and tool that is named there is one
    sed -n '/^} elsewhere/,/^};/s/.*", "\([a-z][a-z0-9-]*\(([57])\)*\).*/\1/p' "$ROOT/src/tools/suggest.c" | sort -u >named
    while read -r meant; do
        case $meant in
            *\([57]\)) [ -e "$ROOT/man/$(tr '(' . <<<"${meant%)}")" ] || fail "$meant" ;;
            *) grep -qx "$meant" <<<"$EVERY_TOOL" || fail "$meant" ;;
        esac
    done <named
    [ "$(wc -l <named)" -gt 15 ]
}

@test "an option whose argument would be ignored, because it comes again, is an error" {
    input_of profcat >a
    for tool in $(some_tools "$EVERY_TOOL" profsql profdiff); do
        try $tool -o x --output=y a
        says 2 "$tool: --output: comes twice"
        try $tool --files-from x --files-from x
        says 2 "$tool: --files-from: comes twice"
    done
    for option in --types --label-source; do
        try ndjson2pprof $option=a/b $option a/b a
        says 2 "ndjson2pprof: $option: comes twice"
    done
    try rprof2ndjson --timestamp=1 --timestamp=2
    says 2 'rprof2ndjson: --timestamp: comes twice'
    # what says the same twice says it, and of levels the last counts
    try ndjson2pprof -q -q --canonical --canonical -1 --level=9 -2 a
    says 0
    try profvalidate --no-rule=type --no-rule=range a
    says 0
    [ ! -e x ]
}

@test "options of other tools are unknown" {
    try profcat --expand
    says 2 'profcat: unknown option --expand: try pprof2ndjson --expand (--help lists the options)'
    try profcat -1
    says 2 'profcat: unknown option -1 (--help lists the options)'
    try rprof2ndjson --allow-empty
    says 2 'rprof2ndjson: unknown option --allow-empty (--help lists the options)'
}

@test "an option without its argument is a usage error" {
    for tool in $(some_tools "$EVERY_TOOL" profsql profdiff); do
        try $tool -o
        says 2 "$tool: option -o needs an argument (--help lists the options)"
        try $tool --output
        says 2 "$tool: option --output needs an argument (--help lists the options)"
        try $tool --files-from
        says 2 "$tool: option --files-from needs an argument (--help lists the options)"
    done
    for option in --types --level; do
        try ndjson2pprof $option
        says 2 "ndjson2pprof: option $option needs an argument (--help lists the options)"
    done
    for option in --source-uri --timestamp --from-code; do
        try rprof2ndjson $option
        says 2 "rprof2ndjson: option $option needs an argument (--help lists the options)"
    done
}

@test "an argument for an option that takes none is a usage error" {
    try profcat --quiet=3
    says 2 'profcat: option --quiet=3 takes no argument (--help lists the options)'
    try ndjson2pprof --canonical=yes
    says 2 'ndjson2pprof: option --canonical=yes takes no argument (--help lists the options)'
}

@test "help names each word that an option knows" {
    local option word words
    while read -r tool option; do
        "$tool" --help=tsv | grep -P "\t--$option\t" | tr -cs 'a-zA-Z0-9.:-' '\n' >help
        try "$tool" "--$option=?" a b
        words=$(sed -n "s/^$tool: --$option: expected \(.*\), found \"?\"$/\1/p" stderr | sed 's/,//g; s/ or / /')
        [ "$(wc -w <<<"$words")" -gt 1 ] || fail "$tool" "$option"
        for word in $words; do
            grep -qx -- "$word" help || fail "$tool" "$option" "$word"
        done
    done <<<'profflame format
profflame colors
profmodel format
profplot kind
profplot colors
profplot format
profsum format
profsum sort
profsum by
profagg by
profagg gauge
profvalidate format
profdiff measure
rprof2ndjson profile-version'
}

@test "arguments that are wrong" {
    try rprof2ndjson --timestamp=soon /dev/null
    says 2 'rprof2ndjson: --timestamp: expected seconds since 1970 or "mtime", found "soon"'
    try rprof2ndjson --from-code=nope /dev/null
    says 2 'rprof2ndjson: --from-code: no encoding "nope" is known'
    for level in 0 10 x ''; do
        try ndjson2pprof --level="$level"
        says 2 "ndjson2pprof: --level: expected a digit from 1 to 9, found \"$level\""
    done
    for types in a/ /a a//; do
        try ndjson2pprof --types=$types /dev/null
        [ $types = a// ] || says 2 "ndjson2pprof: --types: expected TYPE or TYPE/UNIT, found \"$types\""
    done
    try ndjson2pprof --types= /dev/null
    says 2 'ndjson2pprof: --types: expected TYPE or TYPE/UNIT, found nothing'
    try ndjson2pprof --types=a/b,c/ /dev/null
    says 2 'ndjson2pprof: --types: expected TYPE or TYPE/UNIT, found "c/"'
    try ndjson2pprof --types=a/b,a /dev/null
    says 2 'ndjson2pprof: --types: "a" comes twice'
    try ndjson2pprof --label-source=! /dev/null
    says 2 'ndjson2pprof: --label-source: expected the key of a label, found nothing'
    try ndjson2pprof --types=a/b,,c/d /dev/null
    says 2 'ndjson2pprof: --types: expected TYPE or TYPE/UNIT, found ""'
    try ndjson2pprof --types=a/b,a/c /dev/null
    says 2 'ndjson2pprof: --types: "a/c" comes twice'
    try ndjson2pprof --canonical --no-aggregate /dev/null
    says 2 'ndjson2pprof: --canonical cannot be used with --no-aggregate'
    for tool in $(some_tools "$TOOLS"); do
        try $tool --progress=always
        says 2 "$tool: --progress: expected \"auto\", found \"always\""
        try $tool --null
        says 2 "$tool: --null needs --files-from"
        try $tool --files-from=list a
        says 2 "$tool: --files-from cannot be used with other files, found \"a\""
    done
}

@test "wrong usage touches no file" {
    echo old >x
    try ndjson2pprof -o x --canonical --no-aggregate /dev/null
    says 2 'ndjson2pprof: --canonical cannot be used with --no-aggregate'
    try ndjson2pprof -o x --types=a/ /dev/null
    says 2 'ndjson2pprof: --types: expected TYPE or TYPE/UNIT, found "a/"'
    [ "$(cat x)" = old ]
    [ "$(files_here)" = x ]
}

@test "options may follow operands, -- ends them, - is standard input" {
    input_of profcat >a
    cp a ./-q
    try profcat a -q
    says 0
    cp stdout one
    try profcat -- -q
    says 0
    same stdout one
    try profcat - <a
    says 0
    same stdout one
    try profcat <a
    says 0
    same stdout one
}

@test "unambiguous long options may be cut short" {
    input_of profcat >a
    try ndjson2pprof --canon -q a
    says 0
}

@test "-q says errors only, -v names what was left out" {
    # what only its own format could use is told under -v alone
    input_of profcat >b
    try ndjson2pprof b
    says 0
    sed 's/"unit":"count"}]/"unit":"count","gauge":true}]/' b >a
    try ndjson2pprof a
    says 0 'ndjson2pprof: not in pprof: 2 levels such as memory in use (samples)'
    for q in -q --quiet; do
        try ndjson2pprof $q a
        says 0
    done
    for v in -v --verbose; do
        try ndjson2pprof $v a
        says 0 'ndjson2pprof: not in pprof: 2 levels such as memory in use: samples' \
            'ndjson2pprof: not in pprof: 1 format detail: source_type' \
            'ndjson2pprof: not in pprof: 1 format detail: sources..rprof'
    done
    # the last one counts
    try ndjson2pprof -v -q a
    says 0
    # and --lossless takes all
    try ndjson2pprof -q --lossless b
    says 1 'ndjson2pprof: --lossless: not in pprof: 2 format details (source_type, sources..rprof)'
    try ndjson2pprof -q missing
    says 3 'ndjson2pprof: cannot open missing: No such file or directory'
}

@test "-1 to -9 and --level choose the compression" {
    rprof2ndjson "$SAMPLES/plain.out" >a
    for level in 1 6 9; do
        ndjson2pprof -q -$level a >short$level
        ndjson2pprof -q --level=$level a >long$level
        same short$level long$level
        gunzip -c short$level >raw$level
    done
    ndjson2pprof -q a >default
    same default short1
    same raw1 raw9
    [ "$(wc -c <short1)" -gt "$(wc -c <short9)" ]
    # the last one counts
    ndjson2pprof -q -1 -9 a >last
    same last short9
}

@test "--timestamp: seconds, or the file's last change" {
    input_of rprof2ndjson >a
    touch -d @1234567890 a
    rprof2ndjson --timestamp mtime a | grep -F '"source_timestamp":1234567890,'
    rprof2ndjson --timestamp=12.5 a | grep -F '"source_timestamp":12.5,'
    # a pipe has no such time
    cat a | rprof2ndjson --timestamp mtime | grep -F '"source_timestamp":null,'
}

@test "--source-uri names the sources of every input" {
    input_of rprof2ndjson >a
    [ "$(rprof2ndjson --source-uri='x "y"' a a | grep -cF '"source_uri":"x \"y\"",')" -eq 2 ]
}

@test "--progress draws nothing when standard error is no terminal" {
    for tool in $(some_tools "$TOOLS"); do
        input_of $tool >in
        for option in --progress --progress=auto; do
            try $tool -q $option in
            says 0
        done
    done
}

@test "--progress draws a bar on a terminal when the work is long" {
    need_terminal
    input_of rprof2ndjson >in
    # a second of nothing makes the work long, and the pipe's length unknown
    cat >job <<'END'
{ cat in; sleep 1.2; printf '"f" \n'; sleep 0.2; printf '"f" \n'; } | rprof2ndjson --progress >rows
END
    script -qec 'sh job' /dev/null >screen </dev/null
    grep -qa 'MB/s' screen
    # and it is wiped away
    tail -c 4 screen | grep -qa $'\033\\[K$'
    tail -n 1 rows | grep -Fx '{"table":".end"}'
    # short work draws none, but where the machine has other work to do
    draws_none() {
        script -qec 'rprof2ndjson --progress in >rows' /dev/null >screen </dev/null
        [ ! -s screen ]
    }
    wait_until draws_none
}
