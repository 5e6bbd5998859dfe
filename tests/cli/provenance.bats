# Where a merged file came from: --provenance of ndjson2pprof, what reads it, and --manifest.

load helpers
load pprof-helpers

setup() {
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
    mkdir day
    for name in a b c d e; do
        echo "main;$name 1" >day/$name.folded
    done
}

# The same as pprof files: merged, they name no other mapping.
as_pprof() {
    for name in a b c d e; do
        ndjson2pprof -o day/$name.pb.gz day/$name.folded
        rm day/$name.folded
    done
}

merge() {  # output input ...
    ndjson2pprof --canonical --provenance -o "$1" "${@:2}"
}

# The comments of a file, as rows have them.
comments() {  # file
    pprof2ndjson "$1" | jq -r 'select(.table == "sources").".pprof".comment // [] | .[]'
}

# A pprof file whose comments are the lines of standard input.
with_comments() {  # file
    printf '{"table":"meta","key":"version","value":"2.0"}\n{"table":"sources","source_id":1,"source_type":"pprof","source_uri":null,"source_timestamp":null,".value_types":[{"type":"samples","unit":"count"}],".pprof":{"comment":[%s]}}\n' \
        "$(sed 's/\\/\\\\/g; s/.*/"&"/' | paste -sd ,)" | ndjson2pprof -o "$1"
}

# The digest of files, from what the page says of it.
digest_of() {  # file ...
    local file
    for file; do
        { printf '%s  ' "$(sha256sum <"$file" | cut -d' ' -f1)"; echo "$file"; } | sha256sum | cut -d' ' -f1
    done | python3 -c 'import sys
print("%064x" % (sum(int(line, 16) for line in sys.stdin) % 2 ** 256))'
}

ZERO=0000000000000000000000000000000000000000000000000000000000000000

@test "the number of sources, their names, and the digest that the page describes" {
    need jq python3
    merge all.pb.gz day/*.folded
    comments all.pb.gz >found
    same found - <<END
profpipe/1 sources 5
profpipe/1 digest $(digest_of day/*.folded)
profpipe/1 source day/a.folded
profpipe/1 source day/b.folded
profpipe/1 source day/c.folded
profpipe/1 source day/d.folded
profpipe/1 source day/e.folded
END
    # it is that of what gzip holds
    cp day/b.folded plain
    merge plain.pb.gz day/a.folded
    gzip -n day/a.folded
    mv day/a.folded.gz day/a.folded
    merge packed.pb.gz day/a.folded
    same plain.pb.gz packed.pb.gz
    # the sum goes round
    for i in $(seq 40); do echo "main;f $i" >"$i.folded"; done
    merge many.pb.gz [0-9]*.folded
    [ "$(comments many.pb.gz | sed -n 's/.* digest //p')" = "$(digest_of [0-9]*.folded)" ]
}

@test "a single input has it too, and one without a name" {
    need jq
    merge one.pb.gz day/a.folded
    [ "$(comments one.pb.gz | grep -c .)" -eq 3 ]
    [ "$(comments one.pb.gz | tail -n 1)" = 'profpipe/1 source day/a.folded' ]
    merge - - <day/a.folded >in.pb.gz
    [ "$(comments in.pb.gz | tail -n 1)" = 'profpipe/1 source folded' ]
    merge none.pb.gz --allow-empty /dev/null
    [ "$(comments none.pb.gz)" = 'profpipe/1 sources 0' ]
    merge again.pb.gz none.pb.gz one.pb.gz
    [ "$(comments again.pb.gz)" = "$(comments one.pb.gz)" ]
    profsum --expect=0 none.pb.gz >/dev/null
}

@test "without the option nothing is added, and a single file keeps what it has" {
    need jq
    ndjson2pprof day/*.folded >plain.pb.gz
    [ -z "$(comments plain.pb.gz)" ]
    merge ab.pb.gz day/[ab].folded
    merge cd.pb.gz day/[cd].folded
    ndjson2pprof --canonical -o kept.pb.gz ab.pb.gz
    comments kept.pb.gz | sort | same - /dev/fd/3 3< <(comments ab.pb.gz | sort)
    pprof2ndjson ab.pb.gz | proffilter --focus=a | ndjson2pprof -o kept.pb.gz
    [ "$(comments kept.pb.gz)" = "$(comments ab.pb.gz)" ]
    for others in cd.pb.gz day/c.folded ab.pb.gz; do
        ndjson2pprof -v ab.pb.gz $others -o both.pb.gz 2>stderr
        grep -qE '(1 fact about a source|2 facts about sources): provenance$' stderr || fail "$(cat stderr)"
        [ -z "$(comments both.pb.gz)" ]
        try ndjson2pprof --lossless ab.pb.gz $others -o none.pb.gz
        [ "$status" -eq 1 ] && [ ! -e none.pb.gz ]
    done
    # other comments stay
    printf '%s\n' 'made by hand' 'profpipe/1 sources 1' "profpipe/1 digest $ZERO" 'profpipe/1 source x' |
        with_comments said.pb.gz
    ndjson2pprof -o both.pb.gz said.pb.gz day/a.folded
    [ "$(comments both.pb.gz)" = 'made by hand' ]
    merge both.pb.gz said.pb.gz
    comments both.pb.gz | same - /dev/fd/3 3< <(comments said.pb.gz)
}

@test "every order and every tree of merges says the same, and canonical files are the same" {
    as_pprof
    merge all.pb.gz day/*.pb.gz
    merge turned.pb.gz $(ls -r day/*.pb.gz)
    same all.pb.gz turned.pb.gz
    merge ab.pb.gz day/[ab].pb.gz
    merge cd.pb.gz day/[dc].pb.gz
    merge cde.pb.gz day/e.pb.gz cd.pb.gz
    merge tree.pb.gz cde.pb.gz ab.pb.gz
    same all.pb.gz tree.pb.gz
    # by way of rows and of a database, which keep the comments of their sources
    profcat cde.pb.gz ab.pb.gz | merge rows.pb.gz
    same all.pb.gz rows.pb.gz
    ndjson2sqlite -o cde.db cde.pb.gz
    merge db.pb.gz ab.pb.gz cde.db
    same all.pb.gz db.pb.gz
}

@test "names are cut off at a limit, which is the same in every tree" {
    need jq
    as_pprof
    for limit in 0 1 2 4; do
        ndjson2pprof --canonical --provenance --max-names=$limit -o all.pb.gz day/*.pb.gz day/a.pb.gz
        [ "$(comments all.pb.gz | grep -c ' source')" -eq $((limit + 1)) ]
        for i in 1 2 3 4; do
            set -- $(printf '%s\n' day/*.pb.gz day/a.pb.gz | shuf --random-source=<(yes $i))
            ndjson2pprof --canonical --provenance --max-names=$limit -o one.pb.gz "$1" "$2" "$3"
            ndjson2pprof --canonical --provenance --max-names=$limit -o two.pb.gz "$4"
            ndjson2pprof --canonical --provenance --max-names=$limit -o tree.pb.gz "$5" one.pb.gz two.pb.gz "$6"
            same all.pb.gz tree.pb.gz
        done
    done
    comments all.pb.gz | grep -v digest >found
    same found - <<'END'
profpipe/1 sources 6
profpipe/1 unnamed 1
profpipe/1 source*2 day/a.pb.gz
profpipe/1 source day/b.pb.gz
profpipe/1 source day/c.pb.gz
profpipe/1 source day/d.pb.gz
END
    try ndjson2pprof --max-names=5 day/a.pb.gz
    says 2 'ndjson2pprof: --max-names needs --provenance'
    try ndjson2pprof --provenance --max-names=x day/a.pb.gz
    says 2 'ndjson2pprof: --max-names: expected a number, found "x"'
}

@test "many names are sorted and cut while they come" {
    need jq
    for i in $(seq 12); do
        printf 'profpipe/1 %s\n' 'sources 1000' "digest $ZERO" "$(seq -f 'source %06.0f' $((i * 7 % 12)) 12 11999 | sed '2,$s,^,profpipe/1 ,')" |
            with_comments $i.pb.gz
    done
    for limit in 10 100 2000; do
        ndjson2pprof --provenance --max-names=$limit -o all.pb.gz {1..12}.pb.gz
        { echo "profpipe/1 unnamed $((12000 - limit))"; seq -f 'profpipe/1 source %06.0f' 0 $((limit - 1)); } >expected
        comments all.pb.gz | grep -v 'digest\|sources' | same expected -
    done
    # the last that is kept counts as often as the others, also behind a cut
    ndjson2pprof --provenance --max-names=10 -o all.pb.gz 1.pb.gz 1.pb.gz 1.pb.gz
    [ "$(comments all.pb.gz | grep -c 'source\*3 ')" -eq 10 ]
    comments all.pb.gz | grep -qx 'profpipe/1 unnamed 2970'
    profsum --expect=12000 --no-duplicates {1..12}.pb.gz >/dev/null
}

@test "--expect counts sources after a tree of two levels" {
    merge ab.pb.gz day/[ab].folded
    merge cd.pb.gz day/[cd].folded
    merge abcd.pb.gz ab.pb.gz cd.pb.gz
    merge all.pb.gz --expect=5 day/e.folded abcd.pb.gz
    for tool in profsum profcat ndjson2pprof profinfo; do
        $tool --expect=5 all.pb.gz >/dev/null
    done
    profsum --expect=6 all.pb.gz day/a.folded >/dev/null
    try profsum --expect=2 day/e.folded abcd.pb.gz
    says 4 'profsum: --expect: expected 2 sources, found 5'
    # rows and databases of it count the same
    profcat all.pb.gz | profsum --expect=5 >/dev/null
    ndjson2sqlite -o all.db all.pb.gz
    profsum --expect=5 all.db >/dev/null
}

@test "--expect-from compares the names, or says that it cannot" {
    ls day/*.folded >list
    merge ab.pb.gz day/[ab].folded
    merge cde.pb.gz day/[cde].folded
    profsum --expect-from=list cde.pb.gz ab.pb.gz >/dev/null
    profsum --expect-from=list cde.pb.gz day/[ab].folded >/dev/null
    sed 's,.*/,,' list >base
    profsum --expect-from=base cde.pb.gz ab.pb.gz >/dev/null
    try profsum --expect-from=list cde.pb.gz day/a.folded
    says 4 'profsum: --expect-from: missing: day/b.folded' \
        'profsum: --expect-from: of 5 sources in list 1 missing, 0 more than once, 0 not in the list'
    try profsum --expect-from=list cde.pb.gz ab.pb.gz day/a.folded
    says 4 'profsum: --expect-from: more than once: day/a.folded' \
        'profsum: --expect-from: of 5 sources in list 0 missing, 1 more than once, 0 not in the list'
    ndjson2pprof --provenance --max-names=1 -o cut.pb.gz day/[cde].folded
    try profsum --expect-from=list ab.pb.gz cut.pb.gz
    says 4 'profsum: --expect-from: cannot check 2 of 5 sources: merged files, such as cut.pb.gz, do not keep their names'
    ndjson2pprof --provenance --max-names=1 -o cut2.pb.gz day/[ab].folded
    try profsum --expect-from=list cut.pb.gz cut2.pb.gz
    says 4 'profsum: --expect-from: cannot check 3 of 5 sources: merged files, such as cut.pb.gz, do not keep their names'
    profsum --expect=5 ab.pb.gz cut.pb.gz >/dev/null
    # the merged files themselves may be what is expected, and their names are still found twice
    printf '%s\n' ab.pb.gz cut.pb.gz >merged
    profsum --expect-from=merged --expect=5 --no-duplicates --files-from=merged >/dev/null
    try profsum --expect-from=merged ab.pb.gz
    says 4 'profsum: --expect-from: missing: cut.pb.gz' \
        'profsum: --expect-from: of 2 sources in merged 1 missing, 0 more than once, 0 not in the list'
    try profsum --expect-from=merged ab.pb.gz cut.pb.gz cut.pb.gz
    [ "$status" -eq 4 ]
    ndjson2pprof --provenance -9 -o other.pb.gz ab.pb.gz day/e.folded
    echo other.pb.gz >>merged
    try profsum --expect-from=merged --no-duplicates --files-from=merged
    says 4 'profsum: other.pb.gz: --no-duplicates: the source "day/a.folded" comes again'
}

@test "--no-duplicates finds a name that two files keep" {
    merge ab.pb.gz day/[ab].folded
    merge bc.pb.gz day/[bc].folded
    merge de.pb.gz day/[de].folded
    profsum --no-duplicates ab.pb.gz de.pb.gz day/c.folded >/dev/null
    for other in bc.pb.gz day/b.folded; do
        try profsum --no-duplicates ab.pb.gz $other
        says 4 "profsum: $other: --no-duplicates: the source \"day/b.folded\" comes again"
    done
    merge twice.pb.gz ab.pb.gz bc.pb.gz
    try profsum --no-duplicates twice.pb.gz
    says 4 'profsum: twice.pb.gz: --no-duplicates: the source "day/b.folded" comes again'
}

@test "sources in rows and in databases are not digested" {
    need jq
    profcat day/[ab].folded >rows.ndjson
    merge rows.pb.gz rows.ndjson
    printf 'profpipe/1 %s\n' 'sources 2' 'undigested 2' 'source day/a.folded' 'source day/b.folded' >expected
    comments rows.pb.gz | same expected -
    ndjson2sqlite -o rows.db rows.ndjson
    merge db.pb.gz rows.db
    same rows.pb.gz db.pb.gz
    merge c.pb.gz day/c.folded
    merge all.pb.gz c.pb.gz rows.pb.gz
    [ "$(comments all.pb.gz | grep digest)" = "$(comments c.pb.gz | grep digest; echo 'profpipe/1 undigested 2')" ]
    merge direct.pb.gz rows.ndjson day/c.folded
    comments all.pb.gz | same - /dev/fd/3 3< <(comments direct.pb.gz)
}

@test "names with blanks, tabs, line feeds, backslashes, and profpipe" {
    need jq
    local name names=(' ' $'a\tb' $'a\nb\r' 'a\nb' 'profpipe/1 sources 7' '\' 'é')
    mkdir names
    for name in "${names[@]}"; do
        mkdir -p "names/$(dirname "$name")"
        echo 'main;f 1' >"names/$name"
    done
    merge all.pb.gz names/[!p]* names/profpipe/*
    find names -type f -print0 >nul
    profsum --null --expect-from=nul all.pb.gz >/dev/null
    comments all.pb.gz | grep -F 'source names/a\nb\r'
    comments all.pb.gz | grep -F 'source names/a\\nb'
    merge again.pb.gz all.pb.gz
    same all.pb.gz again.pb.gz
}

@test "go tool pprof keeps the comments" {
    need go
    merge ab.pb.gz day/[ab].folded
    go_pprof -proto -output=go.pb.gz ab.pb.gz
    go_pprof -comments go.pb.gz | same - /dev/fd/3 3< <(go_pprof -comments ab.pb.gz)
    profsum --expect=2 go.pb.gz >/dev/null
    merge cde.pb.gz day/[cde].folded
    merge tree.pb.gz go.pb.gz cde.pb.gz
    merge all.pb.gz day/*.folded
    go_pprof -comments tree.pb.gz | same - /dev/fd/3 3< <(go_pprof -comments all.pb.gz)
    # a merge by go contradicts itself
    go_pprof -proto -output=go.pb.gz ab.pb.gz cde.pb.gz
    try profsum --expect=1 go.pb.gz
    says 0 'profsum: go.pb.gz: counts as one source: its comments of profpipe have a fact that comes twice, as if another program had merged files'
}

@test "comments that cannot be are left out with a warning" {
    need jq
    local good=('profpipe/1 sources 2' "profpipe/1 digest $ZERO" 'profpipe/1 source a' 'profpipe/1 source b')
    printf '%s\n' "${good[@]}" | with_comments good.pb.gz
    profsum --expect=2 good.pb.gz >/dev/null
    while IFS='|' read -r why wrong; do
        tr ';' '\n' <<<"$wrong" | with_comments wrong.pb.gz
        try profsum --expect=1 wrong.pb.gz
        says 0 "profsum: wrong.pb.gz: counts as one source: its comments of profpipe have $why"
        [ "$why" != "${last-}" ] || continue
        last=$why
        try ndjson2pprof --provenance -v -o out.pb.gz wrong.pb.gz
        [ "$status" -eq 0 ]
        grep -qx "ndjson2pprof: wrong.pb.gz: counts as one source: its comments of profpipe have $why" stderr
        grep -qx 'ndjson2pprof: not in pprof: 1 fact about a source: provenance' stderr || fail "$(cat stderr)"
        comments out.pb.gz | grep -qx 'profpipe/1 sources 1'
        comments out.pb.gz | grep -qx 'profpipe/1 source wrong.pb.gz'
        [ "$(comments out.pb.gz | grep -c .)" -eq 3 ]
        profinfo wrong.pb.gz | grep -qx "  merged      not known: its comments have $why"
        [ "$(profinfo --format=json wrong.pb.gz | jq -c '.files[].sources[] | [.merged, .merged_digest, .merged_names]')" = '[null,null,[]]' ]
    done <<END
another version than profpipe/1|profpipe/2 sources 2
another version than profpipe/1|profpipe/1sources 2
another version than profpipe/1|profpipe/
an unknown word|${good[0]};profpipe/1 colour red
an unknown word|profpipe/1 
an unknown word|profpipe/1 sources
an unknown word|${good[0]};profpipe/1 source*1 a
an unknown word|${good[0]};profpipe/1 source*0 a
an unknown word|${good[0]};profpipe/1 source*02 a
an unknown word|${good[0]};profpipe/1 source*2x a
an unknown word|${good[0]};profpipe/1 source*9223372036854775808 a
a wrong number|profpipe/1 sources 
a wrong number|profpipe/1 sources x
a wrong number|profpipe/1 sources 02
a wrong number|profpipe/1 sources -2
a wrong number|profpipe/1 sources 2 
a wrong number|profpipe/1 sources 9223372036854775808
a wrong number|profpipe/1 sources 99999999999999999999999999
a wrong digest|${good[0]};profpipe/1 digest 0
a wrong digest|${good[0]};profpipe/1 digest ${ZERO}0
a wrong digest|${good[0]};profpipe/1 digest ${ZERO%0}A
a wrong digest|${good[0]};profpipe/1 digest ${ZERO%0}g
a wrong name|${good[0]};profpipe/1 source 
a wrong name|${good[0]};profpipe/1 source a\\x
a wrong name|${good[0]};profpipe/1 source a\\
a fact that comes twice, as if another program had merged files|${good[0]};${good[0]}
no number of sources|profpipe/1 source a
names that do not add up to the number of sources|${good[0]};${good[1]};${good[2]}
names that do not add up to the number of sources|${good[0]};${good[1]};profpipe/1 source*3 a
names that do not add up to the number of sources|${good[0]};${good[1]};profpipe/1 unnamed 3
a digest that does not go with the number of sources|${good[0]};${good[2]};${good[3]}
a digest that does not go with the number of sources|${good[0]};${good[1]};${good[2]};${good[3]};profpipe/1 undigested 2
a digest that does not go with the number of sources|${good[0]};${good[2]};${good[3]};profpipe/1 undigested 3
END
    try ndjson2pprof --provenance --lossless -o none.pb.gz wrong.pb.gz
    [ "$status" -eq 1 ] && [ ! -e none.pb.gz ]
}

@test "numbers of sources that pass 63 bits together" {
    need jq
    local max=9223372036854775807
    printf 'profpipe/1 %s\n' "sources $max" "digest $ZERO" "source*$max a" | with_comments max.pb.gz
    profsum --expect=$max max.pb.gz >/dev/null
    merge out.pb.gz max.pb.gz
    comments out.pb.gz | grep -qx "profpipe/1 source\*$max a"
    try ndjson2pprof --provenance -o none.pb.gz max.pb.gz max.pb.gz
    says 1 'ndjson2pprof: max.pb.gz: the numbers of sources add up to more than 63 bits'
    [ ! -e none.pb.gz ]
    try profsum --expect=1 max.pb.gz max.pb.gz max.pb.gz
    says 4 'profsum: --expect: expected 1 source, found 18446744073709551615'
    echo a >list
    try profsum --expect-from=list max.pb.gz max.pb.gz
    [ "$status" -eq 4 ]
}

@test "profinfo shows what was merged" {
    need jq
    merge ab.pb.gz day/[ab].folded day/a.folded
    profinfo -n 1 ab.pb.gz >found
    grep -A 3 -x '  merged      3 sources' found | tail -n 3 >lines
    printf '%s\n' '              day/a.folded (2 times)' '              ... and 1 more' \
        "  digest      $(comments ab.pb.gz | sed -n 's/.* digest //p')" | same lines -
    profinfo --format=json ab.pb.gz | jq -c '.files[].sources[] | [.merged, .merged_names, .comments]' >found
    same found - <<<'[3,["day/a.folded","day/b.folded"],[]]'
    profcat ab.pb.gz day/c.folded | profinfo | grep -q 'ab.pb.gz: pprof.*, merged from 3$'
    profcat day/c.folded | ndjson2pprof --provenance | profinfo | grep -qx '  digest      none'
}

# --- manifests ---

@test "a manifest lists the inputs in order, also those that are left out" {
    merge ab.pb.gz day/[ab].folded
    echo 'no profile' >bad
    printf 'main;f 1\nno count\n' >half.folded
    run -1 profsum -q -k --manifest=m.tsv -o out nowhere ab.pb.gz bad half.folded day/c.folded nowhere
    cut -f 1-5 m.tsv | same - /dev/fd/3 3<<END
number	input	status	sources	samples
1	nowhere	not-found		
2	ab.pb.gz	ok	2	2
3	bad	not-a-profile		
4	half.folded	bad-line	1	1
5	day/c.folded	ok	1	1
6	nowhere	not-found		
END
    awk -F '\t' '$3 == "ok" && $2 ~ /folded/ { print $6 "  " $2 }' m.tsv | sha256sum --quiet -c
    [ "$(awk -F '\t' '$1 == 2 { print $6 }' m.tsv)" = "$(gunzip -c ab.pb.gz | sha256sum | cut -d' ' -f1)" ]
    [ "$(awk -F '\t' 'NR > 1 && ($3 == "ok" || $3 == "bad-line") != ($6 != "")' m.tsv)" = '' ]
    # what it names as good is what a merged file keeps
    merge out.pb.gz --manifest=m.tsv day/*.folded
    tail -n +2 m.tsv | cut -f 2 >names
    profsum --expect-from=names out.pb.gz >/dev/null
}

@test "--provenance and -k: what is left out is no source" {
    need jq
    echo 'no profile' >bad
    run -1 ndjson2pprof -q -k --canonical --provenance --manifest=m.tsv -o out.pb.gz bad day/a.folded nowhere day/b.folded bad
    merge ab.pb.gz day/[ab].folded
    same ab.pb.gz out.pb.gz
    [ "$(cut -f 3 m.tsv | paste -sd ' ')" = 'status not-a-profile ok not-found ok not-a-profile' ]
    run -1 --separate-stderr profsum -q -k --expect=4 day/a.folded nowhere out.pb.gz
    [ "${stderr_lines[1]}" = 'profsum: --expect: expected 4 sources, found 3' ]
}

# Rows of a sample with that value of samples/count.
sample_of() {  # value
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
        '{"table":"samples","sample_id":1,"source_id":1}' \
        '{"table":"sample_values","sample_id":1,"type":"samples","unit":"count","value":'"$1"'}' '{"table":".end"}'
}

@test "a manifest adds up samples of each input as they count, or their rows where one has no count" {
    sample_of 5 >five
    sample_of 0 >zero
    sample_of -3 >below
    grep -v sample_values five >none
    profcat -k --manifest=m.tsv -o out five none five zero below missing 2>/dev/null || true
    cut -f 1,2,3,5 m.tsv | same - <(printf '%s\t%s\t%s\t%s\n' number input status samples 1 five ok 5 2 none ok 1 3 five ok 5 \
        4 zero ok 0 5 below ok 1 6 missing not-found '')
}

@test "a manifest counts records where one of them has no count of samples" {
    cat >rows <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}
{"table":"samples","sample_id":1,"source_id":1}
{"table":"sample_values","sample_id":1,"type":"samples","unit":"count","value":5}
{"table":"samples","sample_id":2,"source_id":1}
END
    profsum --manifest=m.tsv rows >/dev/null
    column samples <m.tsv | tail -n 1 | same - <(echo 2)
    sed '$d' rows | profsum --manifest=m.tsv >/dev/null
    column samples <m.tsv | tail -n 1 | same - <(echo 5)
}

@test "a manifest is whole or untouched, and there where the output is" {
    echo old >m.tsv
    run -4 profsum --expect=2 --manifest=m.tsv -o out day/a.folded
    run -3 profsum --manifest=m.tsv -o out day/a.folded nowhere
    run -1 profsum -k --manifest=m.tsv -o out nowhere
    [ "$(cat m.tsv)" = old ]
    [ "$(find . -name '.profpipe.*' -o -name out)" = '' ]
    profsum --manifest=m.tsv day/a.folded >/dev/null
    [ "$(wc -l <m.tsv)" -eq 2 ]
    profsum --manifest=/dev/fd/3 day/a.folded 3>m.tsv >/dev/null
    [ "$(wc -l <m.tsv)" -eq 2 ]
    profsum --manifest=- -o out day/a.folded >m2.tsv
    same m.tsv m2.tsv
    try profsum --manifest=no/m.tsv -o new day/a.folded
    [ "$status" -eq 3 ] && [ ! -e new ]
    (
        ulimit -f 1
        try ndjson2pprof --manifest=m.tsv -o new.pb.gz $(yes day/a.folded | head -n 100)
        [ "$status" -eq 3 ]
    )
    same m.tsv m2.tsv
    [ "$(find . -name '.profpipe.*' -o -name 'new*')" = '' ]
}

@test "a manifest is no other file of the command" {
    cp day/a.folded in
    echo in >list
    printf 'rename\tname:x\ty\n' >rules
    for call in 'in' '--files-from=list' '-o in day/a.folded' '-o ./in day/a.folded'; do
        try profsum --manifest=in $call
        [ "$status" -eq 2 ] || fail "$call"
        same in day/a.folded
    done
    try profsum --manifest=list --files-from=list
    says 2 'profsum: list is input and output at once'
    try profsum --manifest=list --expect-from=list in
    says 2 'profsum: list is input and output at once'
    try profsum --manifest=new -o ./new in
    says 2 'profsum: new is output and manifest at once'
    try profsum --manifest=- in
    says 2 'profsum: --manifest=-: standard output is the output (use -o FILE)'
    try profsum --manifest= in
    [ "$status" -eq 2 ]
    [ "$(find . -name '.profpipe.*' -o -name new)" = '' ]
}

@test "every tool that reads several files can list them" {
    takes_long
    local tool
    cp "$SAMPLES/plain.out" a.out
    for tool in $(some_tools "$TOOLS" profsum profagg proffilter profflame profgraph profplot profinfo ndjson2sqlite ndjson2rprof); do
        $tool --help | grep -q -e --manifest || continue
        [[ $tool != *2ndjson || $tool == rprof2ndjson ]] || continue
        rm -f m.tsv
        $tool -q --manifest=m.tsv -o out a.out
        [ "$(cut -f 2-5 m.tsv | tail -n 1 | tr '\t' ' ')" = 'a.out ok 1 118' ] || fail "$tool" "$(cat m.tsv)"
        rm -f out
    done
    profdiff -q --manifest=m.tsv -o out a.out -- "$SAMPLES/lines.out"
    [ "$(cut -f 1 m.tsv | paste -sd ' ')" = 'number 1 2' ]
    profsql --manifest=m.tsv -o out 'SELECT 1' a.out
    [ "$(wc -l <m.tsv)" -eq 2 ]
}

@test "a million names take at most 128 bytes each" {
    takes_long
    plain_only 'memory is measured'
    local i
    # 200 leaves of 5000 names of 35 bytes
    for i in $(seq 100 299); do
        {
            printf 'profpipe/1 %s\n' 'sources 5000' "digest $ZERO"
            seq -f "profpipe/1 source day/host-$i/profile-%08.0f.pb.gz" 5000
        } | with_comments leaf-$i.pb.gz
    done
    took() { measure 1 ndjson2pprof --provenance --max-names="$1" -o all.pb.gz leaf-*.pb.gz 2>&1 | awk '{ print $2 }'; }
    few=$(took 1000)
    all=$(took 1000000)
    [ "$(gunzip -c all.pb.gz | grep -ao 'profpipe/1 source day/host-[0-9/a-z-]*.pb.gz' | sort -u | grep -c '')" -eq 1000000 ]
    each=$(((all - few) * 1024 / 1000000))
    [ "$each" -le 128 ] || fail "$few KiB, $all KiB: $each bytes each"
}
