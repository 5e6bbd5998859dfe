# Messages for programs: --errors=json, and the codes.

load helpers

# What provokes each code. The last line of a function that fails is what the tool says.
ROWS='{"table":"meta","key":"version","value":"2.0"}'
invalid() { echo "${ROWS/2.0/9}" | profsum "$@"; }
torn() { echo "${ROWS/\}/,\".ends\":true\}}" | profsum "$@"; }
cut_() { printf 'x 1 1.0: 10 cycles: \n\t01 f (/x)\n' | perf2ndjson "$@"; }
not_a_profile() { echo what | profsum "$@"; }
no_input() { : | profsum "$@"; }
bad_line() { printf 'a;b 1\nc\n' | folded2ndjson -k "$@"; }
out_of_order() { printf '%s\n{"table":"samples","sample_id":1,"source_id":1}\n' "$ROWS" | profsum "$@"; }
too_large() { profsum --max-size=1 "$@" "$ROOT/samples/pprof/go-cpu.pb.gz"; }
overflow() { printf 'a;b 9223372036854775807\na;b 1\n' | ndjson2folded "$@"; }
no_such_type() { printf 'a;b 1\n' | profsum --type=x "$@"; }
wrong_type() { profsum --type=cpu/hours "$@" "$SAMPLES/plain.out"; }
no_time() { printf 'a;b 1\n' | proffilter --samples=1s: "$@"; }
duplicate_run() { printf 'a;b 1\n' >a; profdiff a a "$@"; }
lost_values() { ndjson2folded --lossless "$@" "$SAMPLES/lines.out"; }
left_out() { printf 'a;b 1\n' >a; profsum -k "$@" a /dev/null; }
finding() { echo "$ROWS" | sed 's/2.0/3/' | profvalidate "$@"; }
sql_failed() { printf 'a;b 1\n' | profsql "SELECT abs(-9223372036854775807 - 1)" "$@"; }
unknown_option() { profsum --nothing "$@"; }
bad_argument() { profsum --sort=x "$@"; }
options_clash() { profsum --max-depth=3 "$@"; }
bad_operands() { profdiff "$@"; }
unknown_tool() { profpipe nothing "$@"; }
bad_expression() { proffilter --focus='(' "$@"; }
bad_rule() { echo '(' >rules; profsum --rules=rules "$@"; }
bad_sql() { profsql 'SELEC' "$@" "$SAMPLES/plain.out"; }
same_file() { printf 'a;b 1\n' >a; folded2ndjson -o a a "$@"; }
exists() { echo >out.pb.gz; profpipe convert "$SAMPLES/plain.out" out.pb.gz "$@"; }
terminal() { need script && script -qec "ndjson2pprof $* '$SAMPLES/plain.out'" /dev/null | tr -d '\r' >&2; }
not_found() { profsum nothing "$@"; }
denied() { [ -d /sys/kernel ] || skip 'no /sys'; profcat -o /sys/kernel/x "$SAMPLES/plain.out" "$@"; }
is_folder() { profsum / "$@"; }
locked() {
    need sqlite3
    ndjson2sqlite -o x.db "$SAMPLES/plain.out"
    local held
    exec {held}> >(sqlite3 x.db)
    echo 'BEGIN IMMEDIATE;' >&$held
    until ! sqlite3 x.db 'BEGIN IMMEDIATE; ROLLBACK' 2>locking; do sleep .05; done
    status=0
    ndjson2sqlite --timeout=.3 -a -o x.db "$@" "$SAMPLES/lines.out" || status=$?
    exec {held}>&-
    return $status
}
disk_full() { [ -c /dev/full ] || skip 'no /dev/full'; profcat "$SAMPLES/plain.out" "$@" >/dev/full; }
io() { profsum "$@" <&-; }
memory() { profsql --max-size=1M "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 99999) SELECT group_concat(zeroblob(1000)) FROM n" "$SAMPLES/plain.out" "$@"; }
timeout_() { sleep 1 | profsum --timeout=.1 "$@"; }
check_failed() { printf 'a;b 1\n' | profsum --fail-if='self > 1 points' "$@"; }
incomplete() { profsum --expect=2 "$SAMPLES/plain.out" "$@"; }
duplicate_source() { profsum --no-duplicates "$SAMPLES/plain.out" "$SAMPLES/plain.out" "$@"; }
not_checked() { printf 'a;b 1\n' | profsum --fail-if='self(x) > 1 points' "$@"; }
no_match() { printf 'a;b 1\n' | proffilter --focus=x "$@"; }
no_such_function() { printf 'a;b 1\n' | profsum --peek=x "$@"; }
other_types() { printf 'x 1 1.0: 1 cycles: \n\t01 f (/x)\n\nx 1 1.0: 1 faults: \n\t01 f (/x)\n\n' | profsum "$@"; }
guessed() { printf 'a;b 1\n' | ndjson2rprof "$@"; }
no_such_label() { profdiff --sides=k:a,b "$@" "$SAMPLES/plain.out"; }
unsafe_comparison() { printf 'a;b 1\n' >a; : >b; profdiff --allow-empty a b "$@"; }
not_shown() { profplot --kind=memory "$@" "$SAMPLES/plain.out"; }
detail() { rprof2ndjson "$SAMPLES/plain.out" | profvalidate -v "$@"; }
# More than 2^32 different things fit no test.
untested='too-many'

@test "each code is that of its message and of the status, and none is untested" {
    need jq
    while IFS=$'\t' read -r word code_status meaning; do
        [[ " $untested " != *" $word "* ]] || continue
        name=${word//-/_}
        [ "$(type -t "$name")" = function ] || name=${name}_
        [ "$(type -t "$name")" = function ] || fail "nothing provokes $word ($meaning)"
        try "$name" --errors=json </dev/null
        jq -sr --arg word "$word" 'if any(.code == $word) | not then "other code"
            elif all([.severity] | inside(["error", "warning", "note"])) | not then "other severity"
            elif any(.code == $word and .severity == "error") then "error" else "no error" end' stderr >answer
        case $(cat answer) in
            error) [ "$word" = terminal ] || [ "$status" -eq "$code_status" ] || fail "$word: status $status" ;;
            'no error') ;;
            *) fail "$word: $(cat answer)" "$(cat stderr)" ;;
        esac
    done < <(profcat --help=codes)
}

@test "codes are words, listed once" {
    profcat --help=codes >codes
    [ "$(cut -f1 codes | sort -u | wc -l)" -eq "$(wc -l <codes)" ]
    run ! grep -vE $'^[a-z]+(-[a-z]+)*\t[0-4]\t[^\t]+$' codes
    # a code without a status is one of warnings: nothing dies of it
    for word in $(awk -F'\t' '$2 == 0 {print toupper($1)}' codes | tr - _); do
        run ! grep -rnE "(die|die_as|die_at_column|diag_error|diag_error_at)\((CODE_)?$word\b" "$ROOT/src" "$ROOT/bin"
    done
}

@test "a message is one line of UTF-8 that holds its place and what to do" {
    need jq
    printf '%s\n' "$ROWS" '{"table":"x"}' >rows
    try profsum --errors=json rows
    [ "$(jq -c '[.tool, .severity, .code, .file, .line]' stderr)" = '["profsum","error","invalid","rows",2]' ]
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json",\n "shared":5}' >x.json
    try speedscope2ndjson --errors=json x.json
    [ "$(jq -c '[.file, .line, .column]' stderr)" = '["x.json",2,11]' ]
    # what a terminal obeys is escaped, and what is no UTF-8 replaced
    name=$'a\e\n\xff\xc2\x85\xe2\x80\xae"\\'
    try profsum --errors=json "$name"
    [ "$(wc -l <stderr)" -eq 1 ]
    run ! grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2\x85|\xe2\x80\xae' stderr
    [ "$(jq -r .file stderr)" = $'a\e\n\xef\xbf\xbd\xc2\x85\xe2\x80\xae"\\' ]
    jq -e 'has("hint") | not' stderr
    # long ones are cut, and still whole objects
    try profsum --errors=json "$(printf '%05000d' 0)" --errors=json
    jq -e '.code == "io" and (.file | length) == 2048' stderr >answer
    # an argument is no hint, whatever it holds
    try profsum --errors=json $'--x\ny'
    [ "$(jq -r .hint stderr)" = '--help lists the options' ]
    try profsum $'--x\ny'
    says 2 'profsum: unknown option --x?y (--help lists the options)'
}

@test "--errors=json holds for all options, wherever it stands" {
    need jq
    for words in '--nothing --errors=json' '--errors=json --nothing' '--nothing --errors json' 'x --nothing -- --errors=json'; do
        try profsum $words
        [ "$status" -eq 2 ]
        jq -e '.code == "unknown-option" and .hint == "--help lists the options"' stderr >answer
    done
    try profpipe --errors=json sum nothing
    [ "$(jq -r '.tool + " " + .code' stderr)" = 'profsum not-found' ]
    try profsum --errors=xml
    says 2 'profsum: --errors: expected text or json, found "xml"'
    try profsum --errors=text nothing
    says 3 'profsum: cannot open nothing: No such file or directory'
    # -q leaves out warnings, -v adds notes
    try ndjson2folded -q --errors=json "$SAMPLES/lines.out"
    says 0
    try detail --errors=json
    [ "$(jq -r .severity stderr | sort -u)" = note ]
    try detail --errors=json -q
    says 0
}

@test "the schema of messages describes them" {
    need_jsonschema
    profcat --help=messages-schema >schema
    for name in torn lost_values unknown_option not_found bad_line; do
        try $name --errors=json
        cat stderr
    done >messages
    [ -s messages ] && [ -z "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" schema <messages)" ]
    for wrong in 's/"code"/"kind"/' 's/"torn"/"torm"/' 's/"line":[1-9]/"line":0/' 's/"message":/&1,"x":/'; do
        sed "$wrong" messages >changed
        [ "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" schema <changed)" != '' ] || fail "$wrong"
    done
}

@test "what turns text around is not in a message, and other characters are" {
    for character in u2066 u2069 u202a u202e u2028; do
        try profsum "$(printf "a\\$character"b)"
        [ "$(LC_ALL=C tr -d '?' <stderr)" = 'profsum: cannot open ab: No such file or directory' ] ||
            fail $character "$(cat -v stderr)"
    done
    try profsum $'a\u2026b'
    says 3 $'profsum: cannot open a\u2026b: No such file or directory'
}
