# profsum --list: lines of source files with what they had, and where files are found.

load helpers

PPROF=$ROOT/samples/pprof

# The lines of the listings of pprof that had something: function, file, line, flat and cum in ns or bytes, text.
pprof_list() {  # option ... file
    go tool pprof -list=. "$@" 2>/dev/null | awk '
        function number(text,    unit) {
            unit = text
            sub(/^[-0-9.]+/, "", unit)
            return text == "." ? 0 : text * (unit in units ? units[unit] : 1)
        }
        BEGIN { units["us"] = 1e3; units["ms"] = 1e6; units["s"] = 1e9; units["kB"] = 1024; units["MB"] = 1048576 }
        /^ROUTINE/ { name = $0; sub(/^ROUTINE =* /, "", name); file = name; sub(/ in .*/, "", name); sub(/.* in /, "", file); sub(/.*\//, "", file) }
        /^ *[^ ]+ +[^ ]+ +[0-9]+:/ && ($1 != "." || $2 != ".") {
            text = $0
            sub(/^ *[^ ]+ +[^ ]+ +[0-9]+:/, "", text)
            print name "\t" file "\t" $3 + 0 "\t" number($1) "\t" number($2) "\t" text
        }' | LC_ALL=C sort -t "$(printf '\t')" -k1,3
}

# The same of profsum; pprof finds no functions without a name.
our_list() {  # option ... file
    profsum -q --list=. --format=ndjson "$@" | jq -r '
        select((.function | startswith("[") | not) and .text != null and (.self != 0 or .total != 0)) |
        "\(.function)\t\(.file | sub(".*/"; ""))\t\(.line)\t\(.self)\t\(.total)\t\(.text)"' |
        LC_ALL=C sort -t "$(printf '\t')" -k1,3
}

@test "go tool pprof -list says the same of each line" {
    need go jq
    path=$PPROF:$(go env GOROOT)/src
    for sample in "$PPROF"/*.pb.gz; do
        pprof_list -source_path="$path" -trim_path=/opt/profpipe-build "$sample" >theirs
        our_list --source-path="$path" --trim-path=/opt/profpipe-build "$sample" >ours
        [ -s theirs ]
        cut -f1-3,6- theirs >lines
        cut -f1-3,6- ours | same lines -
        paste <(cut -f4-5 theirs) <(cut -f4-5 ours) | awk '
            function differs(a, b, d) { d = a - b; return (d < 0 ? -d : d) > b / 200 }
            differs($1, $3) || differs($2, $4)' >found
        [ ! -s found ] || fail "$sample" "$(cat found)"
    done
}

@test "HTML says what each line calls" {
    need jq
    for sample in go-cpu go-inline; do
        # of each sample: each call in it once, with the line that it is in
        profsum -q --samples --format=ndjson "$PPROF/$sample.pb.gz" | jq -r '
            (."value.cpu/nanoseconds") as $value | .stack | [.[:-1], .[1:]] | transpose | unique_by([.[0].function, .[0].line, .[1].function])[] |
            "\(.[0].function)\t\(.[0].line)\t\(.[1].function)\t\($value)"' >calls
        all=$(profsum -q --format=json "$PPROF/$sample.pb.gz" | jq .all)
        awk -F'\t' -v OFS='\t' -v all="$all" '{ sum[$1 OFS $2 OFS $3] += $4 }
            END { for (key in sum) printf "%s\t%.2f\n", key, 100 * sum[key] / all }' calls | sort >expected
        profsum -q --list=. --format=html "$PPROF/$sample.pb.gz" >page 2>/dev/null
        awk '
            function text(s) { gsub(/<[^>]*>/, "", s); gsub(/&lt;/, "<", s); gsub(/&gt;/, ">", s); gsub(/&amp;/, "\\&", s); return s }
            /<tr class="part">/ { name = text(substr($0, index($0, "<th"))); sub(/ in [^ ]*$/, "", name) }
            /<details>/ {
                match($0, /<td>[0-9]+<\/td><td class="name"><details>/)
                line = text(substr($0, RSTART, RLENGTH))
                sub(/.*<table><tr>/, "")
                sub(/<\/table>.*/, "")
                count = split($0, items, "<tr>")
                for (i = 1; i <= count; i++) {
                    split(items[i], cells, "</td>")
                    print name "\t" line "\t" text(cells[3]) "\t" text(cells[2])
                }
            }' page | sort >found
        [ -s found ]
        same expected found || fail "$sample" "$(diff expected found | head)"
    done
    # behind the line, the largest first
    profsum -q --list=fibonacci --format=html "$PPROF/go-cpu.pb.gz" |
        grep -q '<summary>.*return fibonacci(n-1).*</summary>.*>1.03<.*main.fibonacci.*>0.15<.*runtime.asyncPreempt'
    profsum -q --list=. --format=markdown "$PPROF/go-cpu.pb.gz" >page
    run ! grep -q details page
}

@test "sources are found beside the profile" {
    mkdir folder
    cp "$PPROF/go-cpu.go" "$PPROF/go-cpu.pb.gz" folder
    profsum --list=main.fibonacci folder/go-cpu.pb.gz | grep -q 'return fibonacci(n-1)'
    gunzip -c folder/go-cpu.pb.gz >elsewhere
    try profsum --list=main.fibonacci elsewhere folder/go-cpu.pb.gz
    grep -q 'return fibonacci(n-1)' stdout
    try profsum --list=main.fibonacci --source-path=none folder/go-cpu.pb.gz
    run ! grep -q 'return fibonacci(n-1)' stdout
}

# A profile of functions `f` and `g` of the file that is named: 30 at line 3 of f, called at line 12 of g, and 10 there.
small() {  # file
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
    jq -nc --arg file "$1" '
        {table: "functions", function_id: 1, name: "f", system_name: "f", filename: $file, start_line: 2},
        {table: "functions", function_id: 2, name: "g", system_name: "g", filename: $file, start_line: 0}'
    printf '%s\n' '{"table":"locations","location_id":1,"function_id":1,"line":3}' \
        '{"table":"locations","location_id":2,"function_id":2,"line":12}' \
        '{"table":"samples","sample_id":1,"source_id":1}' \
        '{"table":"sample_values","sample_id":1,"type":"t","unit":"u","value":30}' \
        '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}' \
        '{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2}' \
        '{"table":"samples","sample_id":2,"source_id":1}' \
        '{"table":"sample_values","sample_id":2,"type":"t","unit":"u","value":10}' \
        '{"table":"sample_locations","sample_id":2,"depth":1,"location_id":2}'
}

@test "a listing has the lines around those that had something, the largest function first" {
    need jq
    seq 1 15 | sed 's/^/line /' >x.c
    small x.c >rows
    profsum --list=. rows >found
    {
        printf '%s\n' 't: 40 u in 2 records' 'self (u)  self %  total (u)  total %  line  source' '' \
            '      30   75.00         30    75.00        f in x.c' \
            '       .                  .              2  line 2' \
            '      30   75.00         30    75.00     3  line 3'
        printf '       .                  .              %d  line %d\n' 4 4 5 5 6 6 7 7 8 8
        printf '%s\n' '' '      10   25.00         40   100.00        g in x.c'
        printf '       .                  .             %2d  line %d\n' 7 7 8 8 9 9 10 10 11 11
        printf '      10   25.00         40   100.00    12  line 12\n'
        printf '       .                  .             %2d  line %d\n' 13 13 14 14 15 15
    } | same - found
    [ "$(profsum --list=. --sort=total rows | grep -o '[fg] in x.c' | tr '\n' ' ')" = 'g in x.c f in x.c ' ]
    # Markdown keeps blanks in a block of code
    profsum --list=. --format=markdown rows | sed '1,3d; /^```$/,$d' >block
    sed 1d found | same block -
    # for programs: every row, and no headings among them
    profsum --list='^f$' --format=tsv rows >x.tsv
    { printf 'function\tfile\tline\ttext\tself\tself_pct\ttotal\ttotal_pct\ttype\tunit\tall\trows_left_out\tno_stack\n'
      for i in 2 3 4 5 6 7 8; do
          [ $i -eq 3 ] && cost='30\t75\t30\t75' || cost='0\t0\t0\t0'
          printf "f\tx.c\t$i\tline $i\t$cost\tt\tu\t40\t0\t0\n"
      done; } | same x.tsv -
    [ "$(profsum --list=. --min-share=80 --format=csv rows)" = "$(printf 'function,file,line,text,self,self_pct,total,total_pct,type,unit,all,rows_left_out,no_stack\ng,x.c,12,line 12,10,25,40,100,t,u,40,15,0')" ]
    [ "$(profsum --list=. --min-share=80 rows | tail -n 1)" = 'and 15 more rows: 75.00 % self' ]
    # where very many lines had nothing, some at each end
    seq 1 300 >x.c
    sed 's/"line":12/"line":250/; s/"function_id":1,"line":3/"function_id":2,"line":3/' rows |
        profsum --list=g --format=tsv - | column line | tr '\n' ' ' >numbers
    [ "$(cat numbers)" = '1 2 3 4 5 6 7 8 245 246 247 248 249 250 251 252 253 254 255 ' ]
}

@test "what has no file, or no line, is listed without text, and that is said once" {
    need jq
    small missing.c >rows
    try profsum --list=. --format=tsv rows
    says 0 'profsum: --list: 1 source file could not be read (see --source-path), such as "missing.c": No such file or directory'
    printf 'f\t30\t75\t30\t75\tmissing.c\t3\t\ng\t10\t25\t40\t100\tmissing.c\t12\t\n' >expected
    column function self self_pct total total_pct file line text <stdout | same expected -
    # a file that ends before
    seq 1 5 >missing.c
    [ "$(profsum --list=g --format=ndjson rows | jq -c '[.line, .text]' | tr '\n' ' ')" = '[12,null] ' ]
    [ "$(profsum --list=f --format=ndjson rows | jq -c '[.line, .text]' | tr '\n' ' ')" = '[2,"2"] [3,"3"] [4,"4"] [5,"5"] ' ]
    # no line, and no file
    small '' | sed 's/"line":3/"line":null/' >rows
    try profsum --list=. rows
    says 0
    sed 1,3d stdout >found
    printf '%s\n' '      30   75.00         30    75.00        f' '      30   75.00         30    75.00        <no line>' \
        '' '      10   25.00         40   100.00        g' '      10   25.00         40   100.00    12  ' | same - found
    try profsum --list=nothing rows
    says 1 'profsum: --list: no function matches "nothing"'
}

@test "only regular files of text are read, as they may be shown" {
    need jq
    mkfifo pipe
    mkdir folder
    printf 'a\0b\n' >binary
    truncate -s 65M large
    for name in pipe:'it is no regular file' folder:'it is no regular file' binary:'it is no text' \
        large:'it is larger than 64 MiB' /dev/zero:'it is no regular file'; do
        small "${name%%:*}" >rows
        try timeout 10 profsum --list=. --format=tsv rows
        says 0 "profsum: --list: 1 source file could not be read (see --source-path), such as \"${name%%:*}\": ${name#*:}"
    done
    # nor is anything else opened: who writes to a pipe still waits
    (: >pipe; : >let-go) 3>&- &
    small pipe >rows
    profsum -q --list=. rows >shown
    sleep 0.3
    [ ! -e let-go ]
    : <pipe
    wait $!
    # tabs, wide characters, what is not UTF-8, control characters, carriage returns, no last line feed
    printf '1\n\ta\tb\r\n\xe5\x87\xbd\t\x1b[31m"\t\xff\n12345678\tx' >x.c
    small x.c >rows
    profsum --list=f rows | sed '1,4d' | cut -c 45- >found
    printf '%s\n' '        a       b' $'\xe5\x87\xbd      \\u001b[31m"     \xef\xbf\xbd' '12345678        x' | same - found
    profsum --list=f --format=ndjson rows | jq -r .text | head -n 1 >found
    printf '\ta\tb\n' | same - found
    profsum --list=f --format=tsv rows | column text | sed -n 2p >found
    printf '\xe5\x87\xbd\\t\x1b[31m"\\t\xef\xbf\xbd\n' | same - found
    # files of size 0 that have content all the same, as reading it may consume it
    if [ -r /proc/version ]; then
        first_line_of /proc/version | profsum --list=f --format=ndjson >found
        [ "$(jq -r .text found)" = null ]
    fi
    # of a very long line there is the start, up to a whole character
    { printf '1\n2\nx'; printf '\xc3\xa9%.0s' {1..4000}; } >x.c
    [ "$(profsum --list=f --format=ndjson rows | jq -r 'select(.line == 3) | .text' | wc -c)" -eq 4096 ]
}

# Calls `finds TEXT NAME [OPTION ...]` for names of a file in the profile, and the text that is found then.
look_for_files() {
    mkdir -p home/me/project/src elsewhere
    echo right >home/me/project/src/x.c
    finds right "$T/home/me/project/src/x.c"
    finds null src/x.c
    finds right src/x.c --source-path=home/me/project
    finds right src/x.c --source-path="$T/elsewhere:$T/home/me/project/"
    # in a folder that one is in
    finds right src/x.c --source-path="$T/home/me/project/src"
    finds right src/x.c --source-path=home/me/project/src
    finds null src/x.c --source-path=home/me
    # the name of a folder in an absolute path
    finds right /build/project/src/x.c --source-path=home/me/project
    finds null /build/project-1/src/x.c --source-path=home/me/project
    # what is taken off
    finds right /build/1/src/x.c --source-path=home/me/project --trim-path=/build/1
    finds right /build/1/src/x.c --source-path=home/me/project --trim-path=/other:/build/1/
    finds null /build/12/src/x.c --source-path=home/me/project --trim-path=/build/1
    finds null /build/project/src/x.c --source-path=home/me/project --trim-path=/other
    finds right /proc/self/cwd/src/x.c --source-path=home/me/project
    cd home/me/project
    finds right /build/project/src/x.c
    finds right src/x.c
    cd src
    finds right src/x.c
}

# The rows of a profile with one line of a file.
first_line_of() {  # name
    small "$1" | sed 's/"line":3/"line":1/; s/"start_line":2/"start_line":1/'
}

@test "files are looked for in the folders of sources" {
    need jq
    finds() {
        first_line_of "$2" | profsum -q --list=f --format=ndjson "${@:3}" | jq -r '.text' >found
        [ "$(cat found)" = "$1" ] || fail "${*:2}:" "$(cat found)"
    }
    look_for_files
}

@test "sources come out of a zip archive, beside folders" {
    need jq python3
    finds() {  # text, name in the profile, option ...
        first_line_of "$2" | profsum -q --list=f --format=ndjson "${@:3}" | jq -r '.text' >found
        [ "$(cat found)" = "$1" ] || fail "${*:2}:" "$(cat found)"
    }
    python3 - <<'END'
import zipfile
text = 'right\n'
for name, packing, folder in ('project.zip', 8, ''), ('stored.zip', 0, ''), ('release', 8, 'project-1.0/'):
    with zipfile.ZipFile(name, 'w', packing) as z:
        for made in filter(None, (folder, folder + 'src/')):
            z.writestr(made, '')
        z.writestr(folder + 'src/x.c', text)
        z.writestr(folder + 'y.c', '')
        z.comment = b'PK\5\6' * 9
with zipfile.ZipFile('two.zip', 'w') as z:
    z.writestr('a/src/x.c', text)
    z.writestr('b/y.c', text)
END
    for archive in project.zip stored.zip release; do
        finds right src/x.c --source-path=$archive
        finds right src/x.c --source-path="$T/nothing:$archive"
    done
    finds right project-1.0/src/x.c --source-path=release
    finds right /build/project/src/x.c --source-path=project.zip
    finds right /build/1/src/x.c --source-path=stored.zip --trim-path=/build/1
    finds null y.c --source-path=project.zip
    finds null src/z.c --source-path=project.zip
    finds null src/x.c --source-path=two.zip
    finds right a/src/x.c --source-path=two.zip
    first_line_of src/z.c >rows
    try profsum --list=f --format=tsv --source-path=project.zip rows
    says 0 'profsum: --list: 1 source file could not be read (see --source-path), such as "src/z.c": No such file or directory'
    # where the archive does not have it the next folder may
    mkdir -p other/src
    echo other >other/src/z.c
    finds other src/z.c --source-path=project.zip:other
}

@test "a damaged archive is said, and costs no more than one that is not" {
    need python3
    says_of() {  # why, archive
        small src/x.c >rows
        try profsum --list=f --format=tsv --source-path="$2" rows
        says 0 "profsum: --list: 1 source file could not be read (see --source-path), such as \"src/x.c\": $1"
    }
    python3 - <<'END'
import struct
import zipfile
def archive(text, packing=8):
    with zipfile.ZipFile('good.zip', 'w', packing) as z:
        z.writestr('src/x.c', text)
    return bytearray(open('good.zip', 'rb').read())
def write(name, data):
    open(name, 'wb').write(data)
good = archive('1\n2\n3\n' * 99)
entry = good.index(b'PK\1\2')
end = good.index(b'PK\5\6')
def changed(name, at, form, value):
    data = bytearray(good)
    struct.pack_into(form, data, at, value)
    write(name, data)
write('none', b'x' * 99)
changed('encrypted', entry + 8, '<H', 1)
changed('method', entry + 10, '<H', 12)
changed('checksum', entry + 16, '<I', 1)
changed('smaller', entry + 24, '<I', 99)
changed('larger', entry + 24, '<I', 999)
changed('huge', entry + 24, '<I', 65 << 20)
changed('cut', entry + 20, '<I', 9)
changed('elsewhere', entry + 42, '<I', 3)
changed('behind', entry + 42, '<I', 1 << 31)
changed('many', end + 10, '<H', 65535)
changed('more', end + 10, '<H', 2)
changed('list', end + 12, '<I', 65 << 20)
write('binary', archive('a\0b'))
stored = archive('1\n2\n3\n', 0)
struct.pack_into('<I', stored, stored.index(b'PK\1\2') + 20, 2)
write('stored', stored)
write('bomb', archive('\n' * (65 << 20)))
END
    says_of 'it is no zip archive' none
    says_of 'it is encrypted' encrypted
    says_of "it is packed in another way than zip's usual one" method
    says_of 'its checksum is wrong' checksum
    says_of 'its packed data is damaged' smaller
    says_of 'its packed data is damaged' larger
    says_of 'its packed data is damaged' cut
    says_of 'it is larger than 64 MiB' huge
    says_of 'it is larger than 64 MiB' bomb
    says_of 'it is not where the list of the archive says' elsewhere
    says_of 'the archive ends too early' behind
    says_of 'it has too many files for a plain zip archive' many
    says_of 'its list of files is damaged' more
    says_of 'its list of files is larger than 64 MiB' list
    says_of 'it is no text' binary
    says_of 'its sizes differ' stored
    # cut anywhere, and with any byte changed, it ends well
    for n in $(some_of 5 $(seq 0 "$(stat -c %s binary)")); do
        head -c "$n" binary >cut.zip
        try profsum --list=f --format=tsv --source-path=cut.zip rows
        [ "$status" -eq 0 ] || fail "$n bytes: $status"
        { head -c "$n" binary; printf '\377'; tail -c +$((n + 2)) binary; } >flipped.zip
        try profsum --list=f --format=tsv --source-path=flipped.zip rows
        [ "$status" -eq 0 ] || fail "byte $n: $status"
    done
}

@test "files are looked for as pprof does" {
    need go
    finds() {
        local options
        options=$(printf '%s\n' "${@:3}" | sed 's/^--source-path/-source_path/; s/^--trim-path/-trim_path/')
        first_line_of "$2" | ndjson2pprof -q >x.pb.gz
        go tool pprof -list=f $options x.pb.gz 2>/dev/null >found
        [ "$(sed -n 's/^ *[^ ]* *[^ ]* *1://p' found)" = "${1%null}" ] || fail "${*:2}:" "$(cat found)"
    }
    look_for_files
}

@test "lines of R are those that it says" {
    need jq
    profsum --list='<toplevel>|simulate' --source-path="$SAMPLES" --format=ndjson "$SAMPLES/lines.out" >found
    # what lines have in all is what --by=line says of them
    profsum --by=line --format=ndjson "$SAMPLES/lines.out" | jq -r 'select(.file // "" | test("simulate|report")) | "\(.file)#\(.line) \(.total)"' | sort >expected
    [ -s expected ]
    jq -r 'select(.total > 0) | "\(.file)#\(.line) \(.total)"' found | sort >ours
    comm -13 expected ours >other
    [ -s ours ]
    [ ! -s other ] || fail "$(cat other)"
    jq -r 'select(.text != null) | "\(.file) \(.line) \(.text)"' found | while read -r file line text; do
        [ "$text" = "$(sed -n "${line}s/^ *//p" "$SAMPLES/$file")" ] || fail "$file $line: $text"
    done
    # the lines of a function add up to what it had itself
    jq -s 'map(select(.function == "<toplevel>").self) | add / 1e6 | round' found >found.self
    profsum --list='<toplevel>' "$SAMPLES/lines.out" 2>/dev/null | awk '/<toplevel>/ { print int($1) }' | same found.self -
}

@test "a listing keeps its lines on a terminal, cut at its edge" {
    need jq
    need_terminal
    { printf '1\n2\n'; printf 'x%.0s' {1..100}; printf '\n4\n5\n6\n7\n8\n'; } >x.c
    small x.c >rows
    TERM=xterm script -qec 'stty cols 60 rows 5; profsum --list=. rows' /dev/null </dev/null | tr -d '\r' >found
    profsum --list=. rows | grep -c . >lines
    grep -c . found | same lines -
    grep -q $'\33\[31m      30   75.00         30    75.00     3  \33\[0mx*…$' found
    [ "$(sed $'s/\33\\[[0-9]*m//g' found | wc -L)" -le 60 ]
}

@test "what --list does not go with is said" {
    for option in --by=line '--fail-if=self > 1 points' --follow; do
        try profsum --list=. "$option" "$SAMPLES/plain.out"
        says 2 'profsum: --list cannot be used with --by, --fail-if or --follow'
    done
    for option in --source-path=x --trim-path=x; do
        try profsum $option "$SAMPLES/plain.out"
        says 2 'profsum: --source-path and --trim-path need --list'
    done
    try profsum --list='(' "$SAMPLES/plain.out"
    [ "$status" -eq 2 ]
    grep -q '^profsum: --list: "(" is no regular expression' stderr
}
