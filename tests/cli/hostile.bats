# Text of a stranger's file in every place where it is shown: names, types, labels and the like hold markup of
# each form, and what a terminal obeys.  Each form is judged by a program that reads it, and by rules of its own.

load helpers

# One string on each line, as JSON spells it.
strings() {
    cat <<'STRINGS'
<img src=x onerror=alert(1)> <script>alert(1)</script>
</script></style></title></text></svg></td></pre>]]>--><!--<b>
\"' onload=\"alert(1)\" x='&lt;b&#62;&amp;
a\tb\nc\rd\u000be\u000cf \u2028g\u2029h\u0085i
\u001b[31mred\u001b]0;title\u0007\b\u007f\u009b2J\u000e
\u202aa\u202bb\u202cc\u202dd\u202ee\u2066f\u2067g\u2068h\u2069
a|b\\|c\\\\|`d``|e```\n```\n|x|y|
](javascript:alert(1)) [x](javascript:alert(1)) ![i](http://evil/i.png) <http://evil> http://evil www.evil evil@evil
\n# heading\n- item\n1. one\n> said\n| a | b |\n    code\n===\n***bold*** _it_ ~~no~~ @who #1
=cmd|'/C calc'!A0
-1+1,\"x\",;\t
\"}]},{\"a\":[1,2],\"\\u0022\" x\"; node [URL=\"javascript:1\"]; //
%s%n%5$x $(id) `id` ${x} \\n \\x1b[31m
STRINGS
    awk 'BEGIN { for (i = 0; i < 1500; i++) printf "<b>|%d", i; print "" }'
}

# Rows in which STRING is all that can be named.
rows() {  # string
    cat <<ROWS
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"$1","source_uri":"$1","source_timestamp":null,".value_types":[{"type":"$1","unit":"$1"},{"type":"samples","unit":"count"}],".pprof":{"comment":["$1"],"default_sample_type":"$1"},".perf":{"header":["# hostname : $1"]}}
{"table":".mappings","mapping_id":1,"filename":"$1","build_id":"$1"}
{"table":"functions","function_id":1,"name":"$1","system_name":"$1","filename":"$1","start_line":1}
{"table":"functions","function_id":2,"name":"x$1","system_name":"x$1","filename":"/$1","start_line":1}
{"table":"locations","location_id":1,"function_id":1,"line":2,".mapping_id":1}
{"table":"locations","location_id":2,"function_id":2,"line":3,".mapping_id":1}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"$1","str":"$1"},{"key":"k","str":"$1"},{"key":"n","num":1,"unit":"$1"}]}
{"table":"sample_values","sample_id":1,"type":"$1","unit":"$1","value":3}
{"table":"sample_values","sample_id":1,"type":"samples","unit":"count","value":1}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2}
{"table":"samples","sample_id":2,"source_id":1}
{"table":"sample_values","sample_id":2,"type":"$1","unit":"$1","value":2}
{"table":"sample_values","sample_id":2,"type":"samples","unit":"count","value":1}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":2}
ROWS
}

# Runs a command whose output is of FORM; that goes to the next file of a folder called so, what it says to
# messages.  It must come to an end by itself.
show() {  # form command ...
    local form=$1
    shift
    mkdir -p "$form" messages
    try "$@"
    [[ $status == [0124] ]] || fail "$*: status $status" "$(head -c 500 stderr)"
    mv stderr "messages/$count"
    if [ "$status" -eq 0 ]; then mv stdout "$form/$count"; else echo "$form: $*" >>refused; fi
    count=$((count + 1))
}

# Every tool that shows text, in every form, of the rows in FILE.
show_all() {  # file
    local form view
    for form in text tsv csv json ndjson markdown html; do
        for view in '' --samples; do show $form profsum --format=$form $view "$1"; done
        [ $form = ndjson ] || show $form profdiff --format=$form "$1" plain
        show $form profsql --format=$form 'SELECT f.name AS n, s.source_uri FROM functions f, sources s' "$1"
    done
    show text profinfo "$1"
    show text profinfo --brief "$1"
    for form in json ndjson; do show $form profinfo --format=$form "$1"; done
    for form in csv markdown html; do show $form profinfo --brief --format=$form "$1"; done
    for view in --stacks --calls --peek=. --hot-paths --by=source --by=label:k; do
        show text profsum $view "$1"
        show markdown profsum --format=markdown $view "$1"
    done
    show text profflame --format=text "$1"
    show html profflame --format=html "$1"
    show svg profflame --format=svg "$1"
    show svg profflame --format=svg plain -- "$1"
    show lines profgraph "$1"
    show lines profgraph --format=mermaid "$1"
    show svg profplot "$1"
    show html profplot --format=html "$1"
    show ndjson profcat "$1"
    show ndjson profagg --by=file "$1"
    show json ndjson2speedscope "$1"
    show json ndjson2perun "$1"
    for form in text tsv csv json ndjson markdown html; do show $form profsum --format=$form --list=. "$1"; done
    show none ndjson2sqlite -v -o shown.db "$1"
    show ndjson sqlite2ndjson -v shown.db
    show none ndjson2sqlite --plain -o shown.db "$1"
    show ndjson sqlite2ndjson shown.db
    show lines ndjson2folded "$1"
    show lines ndjson2rprof "$1"
    show none profdiff --fail-if='self(^) > 0 points' --fail-if='cost > 1 %' --untested plain "$1"
    show none profsum --fail-if='self > 1 points' --type=none "$1"
    show none proffilter --focus='(' "$1"
    show none profvalidate "$1"
    sed 's/"depth":2/"depth":7/' "$1" >damaged
    show none profvalidate damaged
    show none ndjson2pprof -v damaged
}

# Files of these folders with a byte that a terminal obeys, or what lays text out otherwise, or that is no UTF-8.
obeyed() {  # folder ...
    local control=$'[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
    find "$@" -type f -exec env LC_ALL=C grep -alE "$control" {} + || true
    find "$@" -type f -exec env LC_ALL=C grep -alP '\x00' {} + || true
    find "$@" -type f -exec env LC_ALL=C.UTF-8 grep -alxv '.*' {} + || true
}

# What stands in the Markdown of these files that is more than words, code and tables.
markup() {  # file ...
    LC_ALL=C awk '
    function bad(why) { print FILENAME ":" FNR ": " why ": " substr($0, 1, 200) }
    FNR == 1 { fence = ""; cells = 0 }
    # a block of code ends at as many marks as it began with
    fence != "" { if ($0 == fence) fence = ""; next }
    /^```+$/ { fence = $0; next }
    {
        # a mark ends a cell unless it is escaped, in code too
        line = $0
        gsub(/\\./, "E", line)
        n = gsub(/[|]/, "|", line)
        if (line ~ /^[|]/) { if (cells && n != cells) bad("another number of cells"); cells = n } else { if (n) bad("a cell"); cells = 0 }
        # code is from as many marks to as many; elsewhere what is escaped is a word
        words = ""; rest = $0
        while (match(rest, /\\.|`+/)) {
            words = words substr(rest, 1, RSTART - 1)
            mark = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
            if (mark ~ /^\\/) { words = words "E"; continue }
            while ((found = match(rest, /`+/)) && RLENGTH != length(mark)) rest = substr(rest, RSTART + RLENGTH)
            if (!found) { bad("code without an end"); break }
            rest = substr(rest, RSTART + RLENGTH)
        }
        words = words rest
        if (words ~ /[][<>`~*@#&]|:\/\/|www[.]/) bad("markup")
        if (words ~ /^ *([-+] |[0-9]+[.)] |=|    )/) bad("a block")
    }' "$@"
}

# Records of CSV that have not as many fields as the first, or where a quote stands in a field that has none around it.
ragged() {  # file ...
    local file
    for file; do
        LC_ALL=C awk -v name="$file" '
        { text = text $0 "\n" }
        END {
            n = length(text); state = "begin"; fields = 1
            for (i = 1; i <= n; i++) {
                c = substr(text, i, 1)
                if (state == "quoted") { if (c == "\"") state = "quote"; continue }
                if (state == "quote" && c == "\"") { state = "quoted"; continue }
                if (state == "begin" && c == "\"") { state = "quoted"; continue }
                if (c == ",") { fields++; state = "begin"; continue }
                if (c == "\n") {
                    if (!first) first = fields; else if (fields != first) print name ": " fields " fields, not " first
                    fields = 1; state = "begin"; continue
                }
                if (state == "quote" || c == "\"") { print name ": a quote within a field"; exit }
                state = "field"
            }
            if (state != "begin") print name ": no end of the last record"
        }' "$file"
    done
}

# The tags of HTML, and their attributes that are run or loaded.
tags() {  # file ...
    cat "$@" | LC_ALL=C grep -aoE '<[/!]?[a-zA-Z][a-zA-Z0-9]*|<!--|<!\[|<\?|[ "'"'"'](on[a-z]+|src|href|URL)="[^"]*"' | sort -u
}

@test "no text of a profile is markup in a form, or reaches a terminal" {
    need jq
    count=0
    rows plain >plain
    mkdir benign
    (cd benign && T=$PWD && rows plain >rows && cp ../plain . && show_all rows)
    strings | few_lines 4 >strings
    while IFS= read -r string; do
        rows "$string" >rows
        profvalidate rows
        show_all rows
    done <strings
    # what is no JSON: NUL, and bytes that are no UTF-8
    printf 'a\0b;\377\376<b>\033[31m;\300\200\355\240\200 1\n\342\200\256 2\n' >rows
    show_all rows
    # of what is read back: frames and titles of other formats
    for form in text markdown html json; do
        ndjson2speedscope -q rows 2>/dev/null | show $form profsum --format=$form
    done

    # a form that refused what it was given is not tested
    for form in text tsv csv json ndjson markdown html svg; do
        total=$(ls $form | wc -l)
        [ $((2 * $(grep -c "^$form:" refused || true))) -lt "$total" ] || fail "$form: most were refused" "$(grep "^$form:" refused)"
    done

    obeyed text markdown html svg messages >found
    [ ! -s found ] || fail "reaches a terminal:" "$(head -n 5 found)" "$(head -n 1 found | cut -d : -f 1 | xargs head -c 600 | cat -v)"

    find json -type f -exec jq empty {} + 2>found || fail "$(cat found)"
    find ndjson -type f -exec jq empty {} + 2>found || fail "$(cat found)"
    find ndjson -type f -exec grep -alv '^{.*}$' {} + >found || true
    [ ! -s found ] || fail "lines that are no object: $(cat found)"

    find tsv -type f -exec env LC_ALL=C awk -F '\t' 'FNR == 1 { n = NF } NF != n { print FILENAME ": " NF " fields, not " n }' {} + >found
    find csv -type f | sort | xargs bash -c "$(declare -f ragged)"'; ragged "$@"' - >>found
    [ ! -s found ] || fail "$(head -n 5 found)"

    markup markdown/* >found
    [ ! -s found ] || fail "$(head -n 5 found)"

    for form in html svg; do
        tags $form/* >found
        tags benign/$form/* | diff - found >apart || fail "$form has tags or addresses of a profile" "$(head -n 5 apart)"
    done
}

@test "a name comes back from every form of JSON as it was" {
    need jq
    # what JSON escapes, must escape, and what it need not
    printf 'q"b\\s\001\177\033z\342\200\250\n' >name
    { printf 'main;'; sed 's/$/ 1/' name; } | folded2ndjson >in
    cp in "$(cat name)"
    for command in profcat profagg ndjson2speedscope 'ndjson2speedscope --aggregate' ndjson2cpuprofile ndjson2firefox ndjson2perun \
        'profsum --format=ndjson' 'profsum --format=json' 'profsum --stacks --format=ndjson' 'profsum --samples --format=ndjson' \
        'profsql --format=ndjson SELECT(name)FROM(functions)' 'profsql --format=json SELECT(name)FROM(functions)' \
        'profdiff --format=ndjson in' 'profinfo --format=ndjson' 'profinfo --format=json'; do
        case $command in profinfo*) set -- "$(cat name)" ;; *) set -- in ;; esac
        $command -q "$1" | gzip -dcf | jq -r '.. | strings, (objects | keys[])' | grep -qFf name || fail "$command"
    done
    try profcat --errors=json "no $(cat name)"
    jq -r .message stderr | grep -qFf name
}

@test "whatever names are, XML is well-formed, and Graphviz and SQLite read what is for them" {
    need xmllint
    count=0
    rows plain >plain
    strings | few_lines 4 >strings
    while IFS= read -r string; do
        rows "$string" >rows
        for tool in profflame profplot; do show svg $tool --format=svg rows; done
        show csv profsum --format=csv --samples rows
    done <strings
    # which shows nothing of a profile
    for form in dot mermaid; do
        profmodel --format=$form rows >model
        [ $form = mermaid ] || ! command -v dot >/dev/null || dot -Tplain model >/dev/null
    done
    find svg -type f -exec xmllint --noout --nonet {} + 2>found || fail "$(head -n 5 found)"
    if command -v sqlite3 >/dev/null; then
        for file in csv/*; do sqlite3 :memory: '.mode csv' ".import $file t" 2>>imported; done
        [ ! -s imported ] || fail "$(cat imported)"
    fi
}
