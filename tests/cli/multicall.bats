#!/usr/bin/env bats
# All tools as one program (meson -Dmulticall=true), by links and by their names as its first argument.
load helpers

setup() {
    cd "$BATS_TEST_TMPDIR"
    T=$PWD
    command -v profpipe >/dev/null || skip "the tools are not one program here (-Dmulticall=true)"
}

@test "the program has every tool, and does what its link does" {
    local tool
    for tool in $EVERY_TOOL; do
        "$tool" --help >by-link
        profpipe "$tool" --help >by-name
        same by-link by-name
        [ "$(profpipe "$tool" --version)" = "$("$tool" --version)" ]
    done
    profpipe --help | sed '1,/^The tools/d; s/^ *//' | diff - "$ROOT/bin/tools"
    input_of folded2ndjson | folded2ndjson --source-uri=x - | profpipe profcat -o by-name -
    input_of folded2ndjson | profpipe folded2ndjson --source-uri=x - >by-link
    same by-link by-name
    try profpipe profcat nowhere
    says 3 'profcat: cannot open nowhere: No such file or directory'
}

@test "a name that no tool has is wrong usage, and so is none" {
    try profpipe profcta x
    [ "$status" -eq 2 ]
    [ "$(head -n 1 stderr)" = "profpipe: no tool is called 'profcta'" ]
    try profpipe
    [ "$status" -eq 2 ]
    [ "$(head -n 1 stderr)" = 'usage: profpipe TOOL [argument ...]' ]
    [ ! -s stdout ]
    ln -s "$(command -v profpipe)" other
    try ./other profcat --version
    [ "$status" -eq 0 ]
    try profpipe --version
    [[ $(cat stdout) = 'profpipe '[0-9]* ]]
}
