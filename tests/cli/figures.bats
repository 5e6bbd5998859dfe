#!/usr/bin/env bats
# All routes from a profile give one figure: that of a model in exact arithmetic.
load helpers

@test "what profsum says of a profile, as any format holds it, is what a model says" {
    takes_long
    need python3
    local each=20 first
    [ -z "${PROFPIPE_LONG-}" ] || each=150
    for first in 1 151; do
        python3 "$BATS_TEST_DIRNAME/figures.py" $first $each >compared || fail "$(cat compared)"
        [ "$(cat compared)" -gt 2000 ] || fail "$(cat compared)"
    done
}

@test "the comparison with the model can fail" {
    takes_long
    need python3
    mkdir bin
    printf '#!/bin/sh\n%s "$@" | sed "s/\\"self\\":\\([1-9]\\)/\\"self\\":1\\1/"\n' "$(command -v profsum)" >bin/profsum
    chmod +x bin/profsum
    PATH=$PWD/bin:$PATH try python3 "$BATS_TEST_DIRNAME/figures.py" 1 30
    [ "$status" -eq 1 ]
    grep -q '^profile [0-9]*: [a-z]* of [a-z]* by rows: self is' stderr
}
