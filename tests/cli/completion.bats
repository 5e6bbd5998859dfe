#!/usr/bin/env bats
# Completion for bash, zsh and fish, asked of the shells themselves.
load helpers

# The long options of a tool.
options_of() {  # tool
    "$1" --help=tsv | cut -f 3
}

# Prints what bash completes the last of some words to: of --x=y it sees three.
bash_completes() {  # tool word ...
    bash --norc -c '
        eval "$("$1" --help=bash)"
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        "_$1" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"
    ' - "$@"
}

@test "bash completes every option of every tool, and the values that an option can have" {
    for tool in $EVERY_TOOL; do
        bash_completes $tool -- | sed 's/=$//' | sort >completed
        options_of $tool | sort | diff - completed
    done
    bash_completes profsum --fo | diff - <(printf '%s\n' --format= --follow)
    bash_completes profsum --format = | diff - <(printf '%s\n' text tsv csv json ndjson markdown html)
    bash_completes profsum --format = m | diff - <(echo markdown)
    bash_completes profsum --format m | diff - <(echo markdown)
    bash_completes profsum --by = | diff - <(printf '%s\n' function group package filefunction line address file mapping label: stack source time:)
    bash_completes profplot --kind = st | diff - <(printf '%s\n' stacks stack-nodes)
    # where anything goes, files are completed
    [ -z "$(bash_completes profsum --peek = f)" ]
    [ -z "$(bash_completes profsum f)" ]
    bash --norc -c 'eval "$(profsum --help=bash)"; complete -p profsum' | grep -q -- '-o default'
}

@test "zsh completes every option of every tool" {
    need zsh
    zsh -fc 'zmodload zsh/zpty' || skip "this zsh has no zpty"
    mkdir functions
    for tool in $EVERY_TOOL; do
        $tool --help=zsh >functions/_$tool
        head -n 1 functions/_$tool | grep -qx "#compdef $tool"
        # all but the last letter is typed, unless that is an option of its own, or begins others
        options_of $tool >known
        for option in $(cat known); do
            ! grep -qxF -e "${option%?}" known || continue
            ! grep -e "^${option%?}" known | grep -qv -e "^$option" || continue
            echo "$tool ${option%?}" >>typed
            echo "$tool $option" >>expected
        done
    done
    # a terminal in which each line is typed, completed, and written to a file
    cat >type.zsh <<'END'
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "PS1= RPS1=; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; bindkey -e; setopt no_beep"
while read -r line; do
    zpty -w -n shell "$line"$'\t\C-a'"print -r -- '"$'\C-e'"' >>completed; print \$((6 * 7))"$'\n'
    zpty -r shell text '*42*' # in turn: what is not read fills the terminal, and stops the shell
done <typed
zpty -w shell exit
while zpty -r shell text; do :; done 2>/dev/null
END
    # of values, too
    echo 'profsum --format=mark' >>typed
    echo 'profsum --format=markdown' >>expected
    echo 'profsum --sort=t' >>typed
    echo 'profsum --sort=total' >>expected
    echo 'profsum --progress=au' >>typed
    echo 'profsum --progress=auto' >>expected
    # files where an operand is one; an option again where that says more, and else in one of its forms
    : >some-file
    echo 'profsum some-f' >>typed
    echo 'profsum some-file' >>expected
    echo 'proffilter --focus=a --focu' >>typed
    echo 'proffilter --focus=a --focus' >>expected
    echo 'profsum --format=csv --forma' | tee -a typed >>expected
    echo 'profsum -q --quie' | tee -a typed >>expected
    timeout 60 zsh -f type.zsh >/dev/null 3>&-
    diff expected completed
    [ "$(wc -l <completed)" -gt 80 ]
}

@test "fish completes every option of every tool" {
    need fish
    export HOME=$T
    for tool in $EVERY_TOOL; do
        $tool --help=fish >$tool.fish
        fish --no-config -c "source $tool.fish; complete -C '$tool --'" </dev/null | cut -f 1 | sort >completed
        options_of $tool | sort >options
        diff options completed
    done
    # with what help says of it, and -1 to -9
    fish --no-config -c 'source ndjson2pprof.fish; complete -C "ndjson2pprof --label"' </dev/null >completed
    grep -qx -e "--label-source[[:space:]]label samples with their source; .*" completed
    fish --no-config -c 'source ndjson2pprof.fish; complete -C "ndjson2pprof -"' </dev/null | grep -cE '^-[1-9]' >count
    [ "$(cat count)" -eq 9 ]
    fish --no-config -c 'source profsum.fish; complete -C "profsum --sort="' </dev/null | cut -f 1 | diff - <(printf '%s\n' --sort=self --sort=total)
    # files where an argument is one, and only there
    : >some-file
    fish --no-config -c 'source profcat.fish; complete -C "profcat --output=some-"' </dev/null | grep -qF some-file
    run fish --no-config -c 'source ndjson2pprof.fish; complete -C "ndjson2pprof --label-source some-"' </dev/null
    [ -z "$output" ]
}
