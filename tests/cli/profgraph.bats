# profgraph: the same graph as pprof's, as text that GraphViz and Mermaid understand.

load helpers
load pprof-helpers

# The boxes and calls of a graph in DOT, sorted: a name, self and total; two names, the value, and `dotted` if
# the call passes others.
theirs() {  # file of pprof's
    perl -ne '
        s/\\"/\x01/g;
        if (/^(N\d+) \[label="(.*?)" id=.* tooltip="(.*?) \((-?\d+)\S*\)"/) {
            my ($id, $label, $name, $total) = ($1, $2, $3, $4);
            my $self = $label =~ /\\n(-?\d+)[^\\]*?(?:\([\d.]+%\))?(?: of .*|\\nof .*)?$/ ? $1 : "?";
            $name{$id} = $name;
            print "$name $self $total\n";
        } elsif (/^(N\d+) -> (N\d+) \[label=" (-?\d+)/) {
            print "$name{$1} -> $name{$2} $3", /style="dotted"/ ? " dotted" : "", "\n";
        }' "$1" | LC_ALL=C sort
}
ours() {  # file of ours
    perl -ne '
        s/\\"/\x01/g;
        if (/^  (n\d+) \[.*tooltip="(.*?)", self="(-?\d+)", total="(-?\d+)"/) {
            $name{$1} = $2;
            print "$2 $3 $4\n";
        } elsif (/^  (n\d+) -> (n\d+) \[.*value="(-?\d+)"/) {
            print "$name{$1} -> $name{$2} $3", /style=dotted/ ? " dotted" : "", "\n";
        }' "$1" | LC_ALL=C sort
}

# Labels are boxes in pprof's graphs, and count as such.
without_labels() {  # file
    case $1 in
        *heap* | *labels*) profagg --ignore-labels "$1" | ndjson2pprof -q -o plain.pb.gz && echo plain.pb.gz ;;
        *) echo "$1" ;;
    esac
}

@test "boxes, calls and their figures are those of go tool pprof -dot" {
    need go
    need perl
    for sample in "$PPROFS"/*.pb.gz; do
        case $sample in
            *heap*) type=inuse_space unit=B ;;
            *)      type=cpu unit=ns ;;
        esac
        file=$(without_labels "$sample")
        for cuts in '0 0 100000' '0.5 0.1 80' '0 0 10' '1 0.5 5' '5 3 20' '0 0 1' '20 0 3' '0 10 7'; do
            set -- $cuts
            go_pprof -dot -sample_index=$type -unit=$unit -nodefraction="$(awk "BEGIN { print $1 / 100 }")" \
                -edgefraction="$(awk "BEGIN { print $2 / 100 }")" -nodecount="$3" "$file" >a.dot
            profgraph -q --type=$type --min-share="$1,$2" --nodes="$3" "$file" >b.dot
            theirs a.dot >a
            ours b.dot >b
            [ -s a ]
            same a b || fail "$sample $cuts" "$(diff a b)"
        done
    done
}

@test "--focus is that of go tool pprof, and shares are of all" {
    need go
    need perl
    for re in main.sortWords 'runtime|memmove' 'sort[.]go' nobody; do
        go_pprof -dot -sample_index=cpu -unit=ns -focus="$re" "$PPROFS/go-cpu.pb.gz" >a.dot 2>/dev/null || : >a.dot
        profgraph -q --focus="$re" "$PPROFS/go-cpu.pb.gz" >b.dot
        theirs a.dot | same - <(ours b.dot)
        proffilter -q --focus="$re" "$PPROFS/go-cpu.pb.gz" | profgraph --allow-empty -q >c.dot
        ours b.dot | same - <(ours c.dot)
    done
    profgraph -q --focus=cmpbody --nodes=1 "$PPROFS/go-cpu.pb.gz" | grep -q '130.00 ms (8.97 %)'
}

@test "GraphViz draws every sample, and finds no fault in any name" {
    need dot
    for sample in $(some_of 4 "$SAMPLES"/*.out "$PPROFS"/*.pb.gz "$ROOT"/samples/perf/*.txt "$ROOT"/samples/folded/*.folded); do
        profgraph -q -o x.svg "$sample" 2>stderr || fail "$sample" "$(cat stderr)"
        [ ! -s stderr ] || fail "$sample" "$(cat stderr)"
        grep -q '^</svg>' x.svg
        profgraph -q --nodes=20 -o x.html "$sample"
        grep -c '<svg\|</svg>\|</html>' x.html | same - <(echo 3)
    done
    # as many boxes as there are in the text
    profgraph -q -o x.dot "$PPROFS/go-cpu.pb.gz"
    profgraph -q -o x.svg "$PPROFS/go-cpu.pb.gz"
    [ "$(grep -c 'class="node"' x.svg)" = "$(grep -c '^  n[0-9]* \[' x.dot)" ]
    [ "$(grep -c 'class="edge"' x.svg)" = "$(grep -c '^  n[0-9]* ->' x.dot)" ]
}

@test "without GraphViz a picture is an error, and nothing is written" {
    mkdir empty
    for format in svg html; do
        try env PATH="$PWD/empty" "$(command -v profgraph)" -o x.$format "$PPROFS/go-cpu.pb.gz"
        [ "$status" -eq 3 ]
        grep -q 'dot of GraphViz cannot be started' stderr
        [ ! -e x.$format ]
    done
    # what it would read can be had without it
    for format in dot mermaid; do
        env PATH="$PWD/empty" "$(command -v profgraph)" --format=$format "$PPROFS/go-cpu.pb.gz" >x.$format
        [ -s x.$format ]
    done
    # one that fails, says nothing, or does not read
    for program in 'exit 1' 'cat >/dev/null' 'exec <&-; sleep 0.1; exit 0' 'kill -9 $$'; do
        printf '#!/bin/sh\n%s\n' "$program" >empty/dot
        chmod +x empty/dot
        try env PATH="$PWD/empty:$PATH" profgraph -o x.html "$PPROFS/go-cpu.pb.gz"
        [ "$status" -eq 3 ]
        grep -q 'dot of GraphViz has' stderr
        [ ! -e x.html ]
    done
}

# Whether a process waits, or has ended.
waits() {  # pid
    grep -q '^State:.[SZ]' "/proc/$1/status"
}

@test "GraphViz is given all of a large graph, even if profgraph stops in between" {
    [ -e /proc/self/status ] || skip "no /proc here"
    mkdir its
    mkfifo its/go
    # more than a pipe holds, for a program that does not read at once
    printf '#!/bin/sh\n: >its/began\nread go <its/go\ncat >its/given\necho "<svg/>"\n' >its/dot
    chmod +x its/dot
    seq 2000 | awk '{ print "main;f" $1, 1 }' >many.folded
    profgraph --nodes=2000 --min-share=0 -o many.dot many.folded
    [ "$(wc -c <many.dot)" -gt 200000 ]
    PATH="$PWD/its:$PATH" profgraph --threads=1 --nodes=2000 --min-share=0 -o many.svg many.folded 3>&- &
    wait_until test -e its/began
    wait_until waits $!
    kill -STOP $!
    kill -CONT $!
    echo >its/go
    wait $!
    same its/given many.dot
}

@test "it draws eighty boxes, or as many as --nodes says" {
    seq 100 | awk '{ print "main;f" $1, $1 + 100 }' >many.folded
    [ "$(profgraph many.folded | grep -cE '^ *"?[Nn][0-9]+"? \[')" -eq 80 ]
    [ "$(profgraph --nodes=81 many.folded | grep -cE '^ *"?[Nn][0-9]+"? \[')" -eq 81 ]
}
