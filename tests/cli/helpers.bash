# What the .bats files share. `load helpers` first.
#
# Every test has a folder of its own, $T, and runs in it. $SAMPLES are the
# profiles that R wrote.

bats_require_minimum_version 1.5.0
export LC_ALL=C.UTF-8

# This is read again for each test: nothing here starts a program.
ROOT=${BATS_TEST_DIRNAME%/tests/cli}
SAMPLES=$ROOT/samples/rprof
# Meson says which tools to test; by hand it is those of build/.
[ -n "${PROFPIPE_MAN-}" ] || PATH=$ROOT/build/bin:$PATH
IFS= read -r -d '' EVERY_TOOL <"$ROOT/bin/tools" || EVERY_TOOL=${EVERY_TOOL%$'\n'}
# Those that take one input, which is standard input where none is named: profdiff compares two sides, and
# profmodel needs none; the first operand of profsql is a statement.
TOOLS=
for tool in $EVERY_TOOL; do
    case $tool in
        profdiff | profmodel | profsql) ;;
        *) TOOLS+=${TOOLS:+$'\n'}$tool ;;
    esac
done
unset tool

# What stands for a list of tools in a loop over code that all of them share: a reader, a filter and a writer
# of it, and those that are named. With `tests/run --long` it is all of them.
some_tools() {  # list [tool ...]
    local kinds='rprof2ndjson profcat ndjson2pprof'
    if [ -n "${PROFPIPE_LONG-}" ]; then echo "$1"; else grep -xE "${kinds// /|}$(printf '|%s' "${@:2}")" <<<"$1"; fi
}

# What stands for many files in a loop over code that all of them share: one of so many. With --long it is all.
some_of() {  # how many have one that stands for them, file ...
    printf '%s\n' "${@:2}" | some_lines "$1"
}

# The same of lines, such as places where a file is cut.
some_lines() {  # how many have one that stands for them
    awk -v each="$1" -v long="${PROFPIPE_LONG-}" 'long != "" || NR % each == 1'
}

# Lines that stand for many: one of so many under sanitizers and where nothing is to take long, else all of them.
few_lines() {  # how many have one that stands for them
    if [ -z "${PROFPIPE_LONG-}" ] && [ -n "${PROFPIPE_SANITIZED-}${PROFPIPE_QUICK-}" ]; then
        awk -v each="$1" 'NR % each == 1'
    else
        cat
    fi
}

# What tries in breadth what other tests try once: tests/run does it in one build, if it installs what judges.
takes_long() {
    [ -z "${PROFPIPE_QUICK-}" ] || skip "takes long: --with-peers has it"
}

# What takes longer, and whose parts other tests try.
long_only() {
    [ -n "${PROFPIPE_LONG-}" ] || skip "only with --long"
}

setup() {
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
}

# Nothing that the user or the terminal has set changes a test.
neutral() {
    umask 022
    unset COLUMNS LINES NO_COLOR COLORTERM
    export TERM=dumb HOME=${HOME-$T}
    exec </dev/null
}

# Nothing that a test left running outlives it.
teardown() {
    local pids
    pids=$(jobs -p)
    [ -z "$pids" ] || { kill -KILL $pids; wait $pids; } 2>/dev/null || true
}

# Runs a command; its output goes to the files stdout and stderr, byte for byte
# (`run` would drop line feeds and NUL), its status to $status.
try() {
    status=0
    "$@" >"$T/stdout" 2>"$T/stderr" || status=$?
}

fail() {
    printf '%s\n' "$@"
    return 1
}

# ThreadSanitizer saw no race in the last try.
no_race() {
    [ "$(grep -c 'ThreadSanitizer: data race' "$T/stderr")" -eq 0 ] || fail "$(cat "$T/stderr")"
}

# The last try ended with this status and said exactly these lines on standard
# error; where it failed, what it wrote before does not look whole.
says() {  # status [line ...]
    local expected=$1
    shift
    [ "$status" -eq "$expected" ] ||
        fail "expected status $expected, found $status:" "$(head -c 1000 "$T/stderr")"
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi >"$T/expected"
    [ $# -eq 0 ] && [ ! -s "$T/stderr" ] ||
        diff -u --label expected --label stderr "$T/expected" "$T/stderr"
    [ "$expected" -eq 0 ] || [ ! -s "$T/stdout" ] || ! tail -n 1 "$T/stdout" | grep -aFx '{"table":".end"}'
}

same() {  # file file
    cmp "$1" "$2"
}

# What the columns of these names have in the table on standard input, tsv: a line for each row, with tabs
# between. Where one is not there, or twice, that is all.
column() {  # name ...
    awk -F'\t' '
        BEGIN { for (i = 1; i < ARGC; i++) name[i] = ARGV[i]; count = ARGC - 1; ARGC = 1 }
        NR == 1 {
            for (i = 1; i <= NF; i++) { at[$i] = i; times[$i]++ }
            for (i = 1; i <= count; i++)
                if (times[name[i]] != 1) { print times[name[i]] + 0 " columns " name[i]; exit 1 }
            next
        }
        { for (i = 1; i <= count; i++) printf "%s%s", $at[name[i]], i < count ? "\t" : "\n" }' "$@"
}

# Skips a test where one of these programs is missing. Not in a subshell or behind a pipe: bats cannot
# skip there. Where another program judges what tools print, sanitizers would see nothing new. Mostly all are
# here, which bash knows by itself.
need() {  # program ...
    local missing=
    case " $* " in
        *' go '* | *' Rscript '* | *' protoc '* | *' chromium '* | *' node '*) plain_only "$* judges" ;;
    esac
    type -P "$@" >/dev/null || missing=$("$ROOT/tests/needs" "$@")
    [ -z "$missing" ] || skip "$missing"
}

# Skips a test unless Python can judge by a JSON schema.
need_jsonschema() {
    need python3 jq
    python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || skip "needs python3-jsonschema"
}

# Skips a test where R, or a package of it, is missing.
need_r() {  # package ...
    local package
    need Rscript
    for package; do
        Rscript --vanilla -e "quit(status = !requireNamespace('$package', quietly = TRUE))" 2>/dev/null ||
            skip "needs $package(R)"
    done
}

# Skips a test where no terminal can be had.
need_terminal() {
    need script
    script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "there are no terminals here"
}

# AddressSanitizer reserves terabytes of addresses and ends by signals of its own.
plain_only() {
    [ -z "${PROFPIPE_SANITIZED-}" ] || skip "not under a sanitizer: $1"
}

# Root may write where others may not.
unless_root() {
    [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
}

# Waits until a command is true, for at most two minutes: a machine may have other work to do.
wait_until() {
    local end=$((SECONDS + 120))
    until "$@"; do
        [ $SECONDS -lt $end ] || { fail "waited in vain for: $*"; return; }
        sleep 0.01
    done
}

# Becomes a command that ignores no signal, in the background or in parentheses. `nohup` leaves SIGHUP
# ignored and a shell what it runs in the background SIGINT and SIGQUIT, which no shell can undo.
listening() {  # command ...
    if env --default-signal true 2>/dev/null; then exec env --default-signal "$@"; fi
    exec "$@"
}

# A small valid input of a tool, on standard output.
input_of() {  # tool
    case $1 in
        *2ndjson)
            if [ -e "$ROOT/tests/cases/$1/small/input" ]; then
                cat "$ROOT/tests/cases/$1/small/input"
            else # no text: what the writer makes
                input_of profcat | "ndjson2${1%2ndjson}" -q | gzip -dcf
            fi
            ;;
        *) input_of rprof2ndjson | rprof2ndjson ;;
    esac
}

# What messages call the file that a tool wants: what the format that it reads calls itself.
wanted_by() {  # tool
    sed -n "/^ *[.]name = /h; /[.]converter = \"$1\"/ { g; s/.*\"\(.*\)\".*/\1/p; }" \
        "$ROOT"/src/formats/*.c "$ROOT"/src/formats/*/*.c | grep . || echo a profile
}

# Every file but those of `try` that stands in the test's folder.
files_here() {
    ls -A "$T" | grep -vxE 'stdout|stderr|expected' || true
}

# axe-core, which finds what bars people from a page, where a folder $PEERS has it.
AXE=${PEERS-}/axe-core/axe.min.js

need_axe() {
    [ -e "$AXE" ] || skip 'PEERS names no folder with it'
}
