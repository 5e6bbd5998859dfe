#!/usr/bin/env bats
# --expect, --expect-from and --no-duplicates: all sources have come, each once.

load helpers

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir day night
    for name in a b c; do
        echo "main;day;$name 1" >day/$name.folded
        echo "main;night;$name 2" >night/$name.folded
    done
}

@test "a number of sources" {
    run -0 --separate-stderr profsum --expect=3 day/*.folded
    [ -z "$stderr" ]
    run -4 --separate-stderr profsum --expect=4 day/*.folded
    [ "$stderr" = 'profsum: --expect: expected 4 sources, found 3' ]
    run -4 --separate-stderr profsum --expect=1 day/*.folded
    [ "$stderr" = 'profsum: --expect: expected 1 source, found 3' ]
    run -2 --separate-stderr profsum --expect=few day/*.folded
    run -4 --separate-stderr profsum --expect=1 --allow-empty /dev/null
    run -0 profsum --expect=0 --allow-empty /dev/null
}

@test "a merged input counts with all its sources" {
    profcat day/*.folded >rows.ndjson
    ndjson2sqlite -o rows.db night/*.folded
    profsum --expect=7 rows.ndjson rows.db day/a.folded >/dev/null
    profdiff --expect=6 rows.ndjson rows.db >/dev/null
}

@test "sources by name" {
    printf 'day/%s.folded\n' a b c >list
    profsum --expect-from=list day/*.folded >/dev/null
    sed 's/$/\r/' list >windows
    profsum --expect-from=windows day/*.folded >/dev/null
    tr '\n' '\0' <list >nul
    profsum --null --expect-from=nul day/*.folded >/dev/null
    profsum --null --expect-from=nul --files-from=nul >/dev/null
    run -2 --separate-stderr profsum --null day/*.folded
    [ "$stderr" = 'profsum: --null needs --files-from' ]
    run -4 --separate-stderr profsum --expect-from=list day/[ab].folded night/c.folded
    same - /dev/fd/3 <<<"$stderr" 3<<'END'
profsum: --expect-from: not in the list: night/c.folded
profsum: --expect-from: missing: day/c.folded
profsum: --expect-from: of 3 sources in list 1 missing, 0 more than once, 1 not in the list
END
    run -4 --separate-stderr profsum --expect-from=list day/*.folded day/b.folded
    same - /dev/fd/3 <<<"$stderr" 3<<'END'
profsum: --expect-from: more than once: day/b.folded
profsum: --expect-from: of 3 sources in list 0 missing, 1 more than once, 0 not in the list
END
    run -3 --separate-stderr profsum --expect-from=none day/*.folded
}

@test "the last parts of a name are enough if they are those of one source" {
    printf '%s.folded\n' a b c >list
    profsum --expect-from=list "$PWD"/day/*.folded >/dev/null
    run -4 --separate-stderr profsum --expect-from=list day/*.folded night/b.folded
    [ "${stderr_lines[0]}" = 'profsum: --expect-from: more than once: b.folded' ]
    echo night/b.folded >>list # the longest counts
    profsum --expect-from=list day/*.folded night/b.folded >/dev/null
}

@test "only the first names are printed, and all with -v" {
    for i in $(seq 20); do echo "$i.folded"; done >list
    run -4 --separate-stderr profsum --expect-from=list day/a.folded
    [ ${#stderr_lines[@]} -eq 12 ]
    run -4 --separate-stderr profsum -v --expect-from=list day/a.folded
    [ ${#stderr_lines[@]} -eq 22 ]
}

@test "a source that comes twice" {
    profsum --no-duplicates day/*.folded >/dev/null
    run -4 --separate-stderr profsum --no-duplicates day/*.folded day/b.folded
    [ "$stderr" = 'profsum: day/b.folded: --no-duplicates: the source "day/b.folded" comes again' ]
    cp day/b.folded copy
    gzip -c copy >copy.gz
    for copy in copy copy.gz; do
        run -4 --separate-stderr profsum --no-duplicates day/*.folded $copy
        [ "$stderr" = "profsum: $copy: --no-duplicates: the same bytes as day/b.folded" ]
    done
    run -4 --separate-stderr profsum --no-duplicates day/*.folded - <copy
    ndjson2sqlite -o one.db day/a.folded
    cp one.db two.db
    run -4 --separate-stderr profsum --no-duplicates one.db two.db
    # bytes that no reader looks at count: it may stop before the end
    { cat day/c.folded; head -c 1000000 /dev/zero | tr '\0' '\n'; } >blank
    cp blank blanks
    run -4 --separate-stderr profsum --no-duplicates blank blanks
    echo >>blanks
    profsum --no-duplicates blank blanks >/dev/null
}

@test "what has failed leaves no file, and rows without an end" {
    echo old >out
    run -4 profcat --expect=4 -o out day/*.folded
    [ "$(cat out)" = old ]
    run -4 ndjson2pprof -f --expect=4 -o out.pb.gz day/*.folded
    [ "$(echo *)" = 'day night out' ]
    for tool in profcat folded2ndjson proffilter; do
        run -4 --separate-stderr $tool --expect=4 day/*.folded
        run -1 --separate-stderr profsum <<<"$output"
        [[ $stderr == *'ends'* || $stderr == *'end'* ]]
    done
}

@test "inputs that --keep-going leaves out are missing" {
    run -1 --separate-stderr profsum -k --expect=2 day/a.folded nowhere
    [ "${stderr_lines[1]}" = 'profsum: --expect: expected 2 sources, found 1' ]
    profsum -k --expect=3 --no-duplicates day/*.folded >/dev/null
}

@test "programs learn of it" {
    run -4 --separate-stderr profsum --errors=json --expect=2 day/a.folded
    [[ $stderr == *'"code":"incomplete"'* ]]
    run -4 --separate-stderr profsum --errors=json --no-duplicates day/a.folded day/a.folded
    [[ $stderr == *'"code":"duplicate-source"'* ]]
}

@test "what a killed tool has left is no input" {
    cp day/a.folded day/.profpipe.a1B2c3
    run -1 --separate-stderr profsum day/.profpipe.a1B2c3
    [ "$stderr" = 'profsum: day/.profpipe.a1B2c3: a tool that was killed has left this part of its output: remove it' ]
    find day -type f | sort | profcat -q -k --files-from=- | profsum --expect=3 >/dev/null
    cp day/a.folded .profpipe.out
    profsum .profpipe.out >/dev/null
}
