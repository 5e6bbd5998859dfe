#!/usr/bin/env bats
# Completion for zsh and fish, asked of the shells themselves. (bash: options.bats, man.bats.)
load helpers

# The long options of a tool.
options_of() {  # tool
    "$1" --help | grep -oE -e '^ +(-., |-1 \.\.\. -9, )?--[a-z-]+' | grep -oE -e '--[a-z-]+'
}

@test "zsh completes every option of every tool" {
    need zsh
    zsh -fc 'zmodload zsh/zpty' || skip "this zsh has no zpty"
    mkdir functions
    for tool in $EVERY_TOOL; do
        $tool --help=zsh >functions/_$tool
        head -n 1 functions/_$tool | grep -qx "#compdef $tool"
        # all but the last letter is typed
        for option in $(options_of $tool); do
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
    grep -qx -e "--label-source[[:space:]]put each sample's source URI in a label with this key; .*" completed
    fish --no-config -c 'source ndjson2pprof.fish; complete -C "ndjson2pprof -"' </dev/null | grep -cE '^-[1-9]' >count
    [ "$(cat count)" -eq 9 ]
    # files where an argument is one, and only there
    : >some-file
    fish --no-config -c 'source profcat.fish; complete -C "profcat --output=some-"' </dev/null | grep -qF some-file
    run fish --no-config -c 'source ndjson2pprof.fish; complete -C "ndjson2pprof --label-source some-"' </dev/null
    [ -z "$output" ]
}
