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
    # bats takes each line that begins with @test for one of its own
    sed 's/^_/@/' >a.bats <<'END'
judged() { need go; }
_test "a" { need jq protoc; }
_test "b" { judged; }
_test "c" {
    takes_long
}
_test "d (not)" {
    grep -q need "$ROOT/README.md"
}
_test "e (1)" {
    [ -z "$x" ] || need sqlite3 zstd
}
END
    mkdir bin
    printf '#!/bin/sh\necho "$*"\n' >bin/bats
    chmod +x bin/bats
    PATH=$T/bin:$PATH
    [ "$(PROFPIPE_REST=1 "$BATS_TEST_DIRNAME/suite" a.bats)" = '--formatter tap --filter ^(b|c|e .1.)$ a.bats' ]
    [ "$(PROFPIPE_REST= "$BATS_TEST_DIRNAME/suite" a.bats)" = '--formatter tap a.bats' ]

    # what a newcomer gets is what tests/install-deps calls `test`
    "$ROOT/tests/install-deps" --list test | sed 's/.*[ :/]//' | sort >installed
    sed -n 's/^HAD = {\(.*\)}$/\1/p' "$BATS_TEST_DIRNAME/suite" | tr -d '" ' | tr ',' '\n' | sort | diff installed -
}
