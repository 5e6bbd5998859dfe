# profflame: what its pictures hold, read by others, and that nothing in names does harm.

load helpers

setup_file() {
    command -v python3 >/dev/null || skip 'no python3'
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
    local file
    for file in "$ROOT"/samples/{rprof,rprofmem}/*.out "$ROOT"/samples/pprof/*.gz "$ROOT"/samples/folded/*.folded \
        "$ROOT"/samples/perf/*.txt "$ROOT"/samples/speedscope/*.json "$ROOT"/samples/perun/*.perf; do
        [[ $file != */time.perf ]] || continue
        make_others "$file"
        show judge x.html >>judged 2>log || fail "$file" "$(tail -n 1 log)"
    done
    [ "$(wc -l <judged)" -gt 60 ] || fail "$(cat judged)"
    [ "$(grep -c folded judged)" -gt 40 ] || fail "$(cat judged)"
}
