#!/usr/bin/env bats
# profpipe: all tools as one program, by links and by their names as its first argument, and what leads to them.
load helpers

@test "the program has every tool, and does what its link does" {
    local tool
    for tool in $EVERY_TOOL; do
        ln -s "$(command -v profpipe)" $tool
        ./$tool --help >by-link
        profpipe "$tool" --help >by-name
        same by-link by-name
        profpipe help "$tool" | same - by-name
        "$tool" --help | same - by-name
        [ "$(profpipe "$tool" --version)" = "$("$tool" --version)" ]
        [[ $tool != prof* ]] || profpipe "${tool#prof}" --help | same - by-name
    done
    input_of folded2ndjson | folded2ndjson --source-uri=x - | profpipe profcat -o by-name -
    input_of folded2ndjson | profpipe folded2ndjson --source-uri=x - >by-link
    same by-link by-name
    try profpipe profcat nowhere
    says 3 'profcat: cannot open nowhere: No such file or directory'
    # the short name is for arguments alone
    ln -s "$(command -v profpipe)" sum
    try ./sum --version
    [ "$(cat stdout)" = "$(profpipe --version)" ]
}

@test "alone it lists every tool once, in 80 columns" {
    try profpipe
    says 0
    cp stdout list
    [ "$(wc -L <list)" -le 80 ]
    sed -n 's/^  \([a-z0-9]*\)  *[A-Z].*/\1/p' list | sort | diff - <(sort <<<"$EVERY_TOOL")
    for option in --help -h; do
        profpipe $option | same - list
        profpipe formats $option | same - list
        profpipe help $option | same - list
    done
    profpipe help formats | same - list
}

@test "a name that no tool has is wrong usage" {
    try profpipe profcta x
    says 2 'profpipe: no tool is called "profcta" (profpipe alone lists them)'
    try profpipe help nothing
    says 2 "profpipe: no task, tool or format is called \"nothing\" ('profpipe help' lists the tasks)"
    try profpipe formats x
    says 2 'profpipe: formats: expected no argument, found "x"'
    try profpipe help slow sum
    says 2 'profpipe: help: expected one task or tool, found also "sum"'
    try profpipe --verison
    says 2 'profpipe: unknown option --verison (--help shows the commands)'
    try profpipe --help=csh
    says 2 'profpipe: --help: expected bash, zsh or fish, found "csh"'
    ln -s "$(command -v profpipe)" other
    try ./other profcat --version
    says 0
    try profpipe --version
    [[ $(cat stdout) = 'profpipe '[0-9]* ]]
    [ ! -c /dev/full ] || {
        status=0
        profpipe formats >/dev/full 2>stderr || status=$?
        : >stdout
        says 3 'profpipe: cannot write <stdout>: No space left on device'
    }
}

@test "formats lists every format, with tools that there are" {
    local name
    profpipe formats >list
    [ "$(wc -L <list)" -le 80 ]
    [ "$(sed '/^$/,$d; /^ /d' list | wc -l)" -eq $(($(wc -l <"$ROOT/src/formats/list") + 3)) ]
    for name in $(grep '2ndjson$\|^ndjson2' <<<"$EVERY_TOOL"); do
        grep -q " $name " list || fail "$name"
    done
    # what the page says of names is what the program does
    sed -n '/^picture\|^[a-zA-Z.]* .* \./s/.*  *\([a-z0-9]*\)  *\(\.[a-z].*\)/\2/p' list | tr ' ' '\n' | sort >listed
    sed -n 's/^\.It Pa \(\..*\)/\1/p' "$ROOT/man/profpipe.1" | tr ' ' '\n' | sort | diff - listed
}

@test "help: every command of every task runs" {
    local command
    profpipe help >tasks
    [ "$(wc -L <tasks)" -le 80 ]
    sed -n 's/^ \{14\}//p' tasks >commands
    [ "$(wc -l <commands)" -ge 25 ]
    cp "$ROOT/samples/pprof/go-labels.pb.gz" labels.pb.gz
    cp "$ROOT/samples/pprof/go-cpu.pb.gz" cpu.pb.gz
    cp "$ROOT/samples/pprof/go-heap.pb.gz" heap.pb.gz
    cp "$SAMPLES/memory.out" Rprof.out
    cp "$ROOT/samples/jfr/words.jfr" run.jfr
    cp "$ROOT/samples/pstats/cProfile.pstats" app.pstats
    for name in 1 2 3; do
        sed "s/^\"mean\"/\"mean$name\"/" "$SAMPLES/plain.out" >base-$name.out
        sed "s/^\"mean\"/\"median$name\"/" "$SAMPLES/plain.out" >new-$name.out
    done
    cp "$ROOT/samples/bench/quick.txt" base.txt
    cp "$ROOT/samples/bench/slower.txt" new.txt
    printf 'group\t^runtime\truntime\n' >rules
    ls *.pb.gz >list
    while read -r command; do
        [[ $command != *FOLDER* ]] || continue # it ends when it is interrupted: see profsum.bats
        command=$(sed 's/OLD\.txt/base.txt/; s/NEW\.txt/new.txt/; s/RULES/rules/; s/LIST/list/; s/OLD\.\.\./base-*.out/; s/NEW\.\.\./new-*.out/; s/OLD/base-1.out/; s/NEW/new-1.out/
            s/FILE\.\.\./cpu.pb.gz labels.pb.gz/; s/KEY/user/; s/VALUE/./; s/NAME/main/; s/OUT/out/
            /alloc_space/s/FILE/heap.pb.gz/; /user/s/FILE/labels.pb.gz/; /events\|--profile/s/FILE/base-1.out/; s/FILE/cpu.pb.gz/' <<<"$command")
        [[ $command != *jq* ]] || "$ROOT/tests/needs" jq >/dev/null || continue
        [[ $command != profgraph*svg* ]] || command -v dot >/dev/null || continue
        # gates may fail here
        bash -o pipefail -c "$command" >out 2>err || [[ $command = *fail-if* && $? -eq 4 ]] || fail "$command" "$(cat err)"
    done <commands
    profpipe help gate | same - <(profpipe help ci)
    try profpipe help slow
    says 0
    [ "$(head -n 1 stdout)" = '  slow      What is slow?' ]
}

@test "convert writes what the name of the output says" {
    cp "$ROOT/samples/pprof/go-labels.pb.gz" a.pb.gz
    convert() {  # OUT tool [option ...]
        profpipe convert "${@:3}" -q a.pb.gz "$1"
        "$2" "${@:3}" -q a.pb.gz -o by-tool-"$1"
        same "$1" by-tool-"$1"
    }
    convert x.pb.gz ndjson2pprof --canonical
    convert x.pb ndjson2pprof
    convert x.pprof ndjson2pprof -9
    convert x.ndjson profcat
    convert x.out ndjson2rprof --interval 10000
    convert x.folded ndjson2folded --type=samples
    convert x.collapsed ndjson2folded
    convert x.speedscope.json ndjson2speedscope --aggregate
    convert x.firefox.json ndjson2firefox
    convert x.otlp ndjson2otlp
    convert x.otlp.json ndjson2otlp
    convert x.perf ndjson2perun --cmd ./a
    convert x.db ndjson2sqlite
    convert x.sqlite ndjson2sqlite --plain
    convert x.html profflame --title 'a b'
    convert x.svg profflame --inverted
    # options anywhere, several inputs, names that look like options
    profpipe convert a.pb.gz -q a.pb.gz two.folded --type cpu
    ndjson2folded -q --type=cpu a.pb.gz a.pb.gz | same - two.folded
    cp a.pb.gz ./-a
    profpipe convert -q -- -a -b.folded
    ndjson2folded -q a.pb.gz | same - ./-b.folded
    profpipe convert -q - stdin.folded <a.pb.gz
    same stdin.folded ./-b.folded
    # one that exists is replaced if that is asked for, whole or not at all
    cp two.folded before
    try profpipe convert -q a.pb.gz two.folded
    says 2 'profpipe: convert: two.folded exists, and the last name is the output (-f replaces it)'
    same two.folded before
    profpipe convert -q --force a.pb.gz two.folded
    same two.folded ./-b.folded
    echo nothing >bad
    try profpipe convert bad two.folded -f
    [ "$status" -eq 1 ]
    same two.folded ./-b.folded
    : >empty.folded
    profpipe convert -q a.pb.gz empty.folded
    same empty.folded two.folded
    profpipe convert -q --append a.pb.gz x.db
    [ "$(profsql --format=tsv --db x.db 'SELECT count(*) AS n FROM sources' | tail -n 1)" -eq 2 ]
}

@test "convert has help, which names every end of a name" {
    try profpipe convert --help
    says 0
    cp stdout help
    [ "$(wc -L <help)" -le 80 ]
    profpipe convert x -h | same - help
    profpipe formats | sed -n 's/.*  [a-z0-9]*  *\(\.[a-z].*\)/\1/p' | tr ' ' '\n' | sort >listed
    sed -n 's/^  \(\..*[a-z3]\)  *[a-z0-9]*$/\1/p' help | tr -s ' ' '\n' | sort | diff listed -
    # with an output it is that of the tool
    profpipe convert x y.folded --help >of-tool
    ndjson2folded --help | same - of-tool
}

@test "convert: what is wrong" {
    cp "$ROOT/samples/pprof/go-labels.pb.gz" a.pb.gz
    try profpipe convert a.pb.gz x.png
    [ "$status" -eq 2 ]
    grep -qxE 'profpipe: convert: expected an output whose name ends in one of ([a-z0-9.*]+ ){10,}\.[a-z0-9]+ \(with a star: begins\), found "x.png"' stderr
    try profpipe convert a.pb.gz
    says 2 'profpipe: convert: expected inputs and then an output, without -o, found 1 name'
    try profpipe convert
    says 2 'profpipe: convert: expected inputs and then an output, without -o, found 0 names'
    try profpipe convert a.pb.gz a.pb.gz -f
    [ "$status" -eq 2 ]
    same a.pb.gz "$ROOT/samples/pprof/go-labels.pb.gz"
    try profpipe convert a.pb.gz x.folded --nope
    says 2 'ndjson2folded: unknown option --nope (--help lists the options)'
    try profpipe convert a.pb.gz x.folded -o y
    says 2 'profpipe: convert: expected the output as the last name, without -o'
    try profpipe convert missing x.folded
    says 3 'ndjson2folded: cannot open missing: No such file or directory'
    # two sides are for profflame itself: one picture of both would look like an answer
    try profpipe convert a.pb.gz -- a.pb.gz diff.html
    says 2 'profpipe: convert: -- compares nothing here: use profflame -o OUT OLD... -- NEW...'
    [ ! -e diff.html ]
    # what is lost is reported, or an error
    try profpipe convert a.pb.gz x.folded
    [ "$status" -eq 0 ]
    [ -s stderr ]
    try profpipe convert --lossless a.pb.gz y.folded
    [ "$status" -eq 1 ]
    [ ! -e y.folded ]
}

@test "shells complete tools, commands and tasks" {
    profpipe_completes() {  # word ...
        bash --norc -c '
            eval "$(profpipe --help=bash)"; eval "$(profsum --help=bash)"
            COMP_WORDS=(profpipe "$@"); COMP_CWORD=$#
            _profpipe profpipe "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf "%s\n" "${COMPREPLY[@]}"
        ' - "$@"
    }
    profpipe_completes '' | sort | diff - <(printf '%s\n' convert formats help $EVERY_TOOL | sort)
    profpipe_completes help sl | diff - <(echo slow)
    profpipe_completes help profsu | diff - <(echo profsum)
    profpipe_completes profsum --pee | diff - <(echo --peek=)
    profpipe_completes sum --pee | diff - <(echo --peek=)
    ! command -v zsh >/dev/null || profpipe --help=zsh | zsh -n
    ! command -v fish >/dev/null || {
        profpipe --help=fish >profpipe.fish
        HOME=$T fish --no-config -c 'source profpipe.fish; complete -C "profpipe profv"' </dev/null | diff - <(echo profvalidate)
    }
}
