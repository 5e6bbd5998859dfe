# What the tests ask of themselves.

load helpers

# Bash ends no test at a command behind "!", so such a line can only fail as the last one. Negations
# that something hangs on ("if ! cmp", "! cmp || fail") are no such lines.
negations() {  # file ...
    grep -nE '^[[:space:]]*!' "$@" | grep -vE '\|\|' || true
}

@test "no line of a test is a negation that cannot fail" {
    printf '    ! grep x y\n    run ! grep x y\n    ! grep x y || fail\n' >lines
    [ "$(negations lines)" = '1:    ! grep x y' ]
    negations "$BATS_TEST_DIRNAME"/*.bats "$BATS_TEST_DIRNAME"/*.bash >found
    [ ! -s found ] || fail "write 'run ! ...' instead:" "$(cat found)"
}

@test "meson runs every file of tests" {
    local file
    for file in "$BATS_TEST_DIRNAME"/*.bats; do
        grep -q "'$(basename "$file" .bats)'" "$BATS_TEST_DIRNAME/meson.build" || fail "$file"
    done
}

@test "what CI leaves to the newcomer's run has neither breadth nor peers" {
    local peers name
    peers=$("$ROOT/tests/install-deps" --list peers | sed 's/.*[ :/]//' | paste -sd '|')
    sed -n '/^plain = /,/^]/p' "$ROOT/tests/cli/meson.build" | grep -o "'[^']*'" | tr -d "'" >names
    [ -s names ]
    while read -r name; do
        run ! grep -nE "^ *(takes_long|need_(r|jsonschema)|need .*\<($peers)\>)" "$ROOT/tests/cli/$name.bats"
    done <names
}
