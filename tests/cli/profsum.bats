# profsum: what R and pprof say of the same files, and what a table is.

load helpers

# Where R is right: names without spaces, no line cut by a kill, one header.
R_READS='plain lines memory toplevel everything'

@test "a label that no sample has is said, and some that there are" {
    try profsum --by=label:requests "$ROOT/samples/pprof/go-labels.pb.gz"
    says 0 'profsum: no sample has a label "requests"; there are: user, request'
    try profsum --by=label:x "$ROOT/samples/pprof/go-cpu.pb.gz"
    says 0 'profsum: no sample has a label "x"'
    try profsum --by=label:request "$ROOT/samples/pprof/go-labels.pb.gz"
    says 0
}

@test "summaryRprof says the same" {
    need Rscript
    for name in $R_READS; do
        LC_ALL=C Rscript --vanilla "$BATS_TEST_DIRNAME/compare-summaryRprof.R" "$SAMPLES/$name.out" hide >found
        [ ! -s found ] || fail "$name" "$(cat found)"
    done
}

@test "summaryRprof says the same of lines" {
    need Rscript
    for name in lines toplevel everything; do
        LC_ALL=C Rscript --vanilla "$BATS_TEST_DIRNAME/compare-summaryRprof.R" "$SAMPLES/$name.out" show >found
        [ ! -s found ] || fail "$name" "$(cat found)"
    done
}

@test "the comparison with R can fail" {
    need Rscript
    mkdir bin
    printf '#!/bin/sh\n%s "$@" | awk "{ print } NR == 3 { print }"\n' "$(command -v profsum)" >bin/profsum
    chmod +x bin/profsum
    PATH=$PWD/bin:$PATH LC_ALL=C Rscript --vanilla "$BATS_TEST_DIRNAME/compare-summaryRprof.R" "$SAMPLES/plain.out" hide >found
    [ "$(cat found)" = "$(printf '%s\n' 'self : other names' 'total : other names')" ]
}

@test "memory is what summaryRprof says of both" {
    need Rscript
    LC_ALL=C Rscript --vanilla -e '
        x <- summaryRprof(commandArgs(TRUE), memory = "both")$by.total
        cat(sprintf("%s %.1f\n", gsub("\"", "", rownames(x)), x$mem.total), sep = "")' \
        "$SAMPLES/memory.out" | sort >theirs
    profsum -q --type=alloc_size --format=tsv "$SAMPLES/memory.out" |
        column function total | awk -F'\t' '$2 >= 52428.8 { printf "%s %.1f\n", $1, $2 / 1048576 }' | sort >ours
    grep -v ' 0.0$' theirs >theirs.some
    same theirs.some ours
}

# What R takes apart at a space, or leaves out at its own borders, is right here.
@test "names with spaces are whole, and appended profiles are several" {
    profsum -q --format=tsv "$SAMPLES/odd-names.out" | column function | grep -q ' '
    [ "$(profsum -q --format=tsv --by=source "$SAMPLES/appended.out" | wc -l)" -eq 4 ]
}

# Name and both percents of each function, as pprof prints them: three digits or so.
pprof_top() {  # [-cum] file
    go tool pprof -top -nodecount=1000000 -nodefraction=0 -unit=minimum "$@" 2>/dev/null | sed '1,/flat%/d' | awk '
        {
            name = $0
            sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name)
            sub(/ [(](partial-)?inline[)]$/, "", name)
            print name "\t" $2 + 0 "\t" $5 + 0
        }' | LC_ALL=C sort
}

@test "go tool pprof -top says the same" {
    need go
    for sample in "$ROOT"/samples/pprof/*.pb.gz; do
        for order in self total; do
            pprof_top $([ $order = self ] || echo -cum) "$sample" >theirs
            profsum --sort=$order --format=tsv "$sample" | column function self_pct total_pct | LC_ALL=C sort >ours
            [ -s theirs ]
            cut -f1 theirs >names
            cut -f1 ours | same names -
            paste theirs ours | awk -F'\t' '
                function differs(a, b, d) { d = a - b; return (d < 0 ? -d : d) > 0.0051 + b / 1000 }
                differs($2, $5) || differs($3, $6)
            ' >found
            [ ! -s found ] || fail "$sample" "$(cat found)"
        done
    done
}

@test "each order is one" {
    for sample in "$SAMPLES/plain.out" "$ROOT/samples/pprof/go-heap.pb.gz"; do
        profsum --format=tsv "$sample" | column function self total >self
        LC_ALL=C sort -t "$(printf '\t')" -k2,2gr -k3,3gr -k1,1 self | same self -
        profsum --format=tsv --sort=total "$sample" | column function self total >total
        LC_ALL=C sort -t "$(printf '\t')" -k3,3gr -k2,2gr -k1,1 total | same total -
        LC_ALL=C sort self >x
        LC_ALL=C sort total | same x -
    done
}

@test "every format of a file gives the same table" {
    profsum --format=tsv "$SAMPLES/plain.out" >expected
    rprof2ndjson "$SAMPLES/plain.out" >rows
    ndjson2pprof -q rows >x.pb.gz
    ndjson2speedscope -q rows >x.json
    for file in rows x.pb.gz x.json; do
        profsum -q --format=tsv $file | same expected -
        profsum -q --format=tsv <$file | same expected -
    done
    # the same counts, where a format has no times
    profsum --format=tsv --type=samples "$SAMPLES/plain.out" >counts
    ndjson2folded -q rows | profsum --format=tsv - | same counts -
}

@test "a profile twice is twice as much, with the same shares" {
    need jq
    profsum --format=json "$SAMPLES/plain.out" | jq -c '.rows[] | [.function, .self_pct, .total_pct, .self * 2]' >expected
    profsum --format=json "$SAMPLES/plain.out" "$SAMPLES/plain.out" |
        jq -c '.rows[] | [.function, .self_pct, .total_pct, .self]' | same expected -
}

@test "formats for programs say the same of every name" {
    need jq
    printf 'a\tb,"c" \\ \xc3\xa9;d 1\na\tb,"c" \\ \xc3\xa9 2\n' >x.folded
    profsum --format=tsv x.folded >x.tsv
    about='samples\tcount\t3\t0\t0\n'
    printf 'function\tself\tself_pct\ttotal\ttotal_pct\ttype\tunit\tall\trows_left_out\tno_stack\na\\tb,"c" \\\\ \xc3\xa9\t2\t66.66666667\t3\t100\t'"$about"'d\t1\t33.33333333\t1\t33.33333333\t'"$about" |
        same x.tsv -
    profsum --format=csv x.folded >x.csv
    about='samples,count,3,0,0\n'
    printf 'function,self,self_pct,total,total_pct,type,unit,all,rows_left_out,no_stack\n"a\tb,""c"" \\ \xc3\xa9",2,66.66666667,3,100,'"$about"'d,1,33.33333333,1,33.33333333,'"$about" |
        same x.csv -
    profsum --format=json x.folded | jq -c 'del(.version, .columns, .rows) as $about | .rows[] + $about' >x.json
    profsum --format=ndjson x.folded | jq -c . | same x.json -
    [ "$(jq -r 'select(.self == 2) | .function' x.json)" = "$(printf 'a\tb,"c" \\ \xc3\xa9')" ]
    [ "$(jq -r .total_pct x.json | head -n 1)" = 100 ]
}

@test "what is cut is told to people, and to nobody else" {
    need jq
    profsum -n 3 "$SAMPLES/plain.out" >x
    [ "$(tail -n 1 x)" = 'and 84 more rows: 79.66 % self' ]
    [ "$(wc -l <x)" -eq 7 ]
    profsum --min-share=50 --format=markdown "$SAMPLES/plain.out" >x
    grep -q '^and [0-9]* more rows: [0-9.]* % self$' x
    profsum --format=tsv "$SAMPLES/plain.out" >all
    for format in tsv csv ndjson; do
        profsum -n 3 --format=$format "$SAMPLES/plain.out" >x
        [ "$(grep -vc '^function' x)" -eq 3 ]
        run ! grep -q more x
    done
    # but in a column
    [ "$(column rows_left_out <all | sort -u)" = 0 ]
    profsum -n 3 --format=tsv "$SAMPLES/plain.out" >x
    head -n 4 all | column function self total all | same - <(column function self total all <x)
    [ "$(column rows_left_out <x | tr '\n' ' ')" = '84 84 84 ' ]
    column function self self_pct total total_pct <all | awk -F'\t' '$5 >= 50' >expected
    profsum --min-share=50 --format=tsv "$SAMPLES/plain.out" >x
    column function self self_pct total total_pct <x | same expected -
    [ "$(column rows_left_out <x | sort -u)" -eq $((87 - $(wc -l <expected))) ]
    [ "$(profsum -n 0 --format=json "$SAMPLES/plain.out" | jq -c '[.rows, .rows_left_out]')" = '[[],87]' ]
}

@test "columns stand below each other, whatever characters names and numbers have" {
    printf 'f\\ x;\xe5\x87\xbd\xe6\x95\xb0 100\nf\\ x;\x1b[31m 1\n' >x.folded
    profsum x.folded >x
    printf '%s\n' x.folded 'samples: 101 in 2 records' 'self  self %  total  total %              name' \
        ' 100   99.01    100    99.01  ██████████  函数' \
        '   1    0.99      1     0.99  ▏           \u001b[31m' \
        '   0    0.00    101   100.00              f\ x' | same x -
}

@test "on a terminal names are cut at its edge, rows at its end, and there is colour unless it is unwanted" {
    need_terminal
    seq 1 100 | sed 's/.*/a function with a long name of number &;b 1/' >x.folded
    on_terminal() {
        script -qec "stty cols 60 rows 12; $1" /dev/null </dev/null | tr -d '\r'
    }
    TERM=xterm on_terminal 'profsum --sort=total x.folded' >x
    [ "$(wc -l <x)" -eq 11 ]
    grep -q $'\33\[3' x
    tail -n 1 x | grep -q '^and 94 more rows: '
    TERM=xterm NO_COLOR=1 on_terminal 'profsum --sort=total x.folded' >x
    run ! grep -q $'\33' x
    TERM=dumb on_terminal 'profsum --sort=total x.folded' | same x -
    grep -q 'a function .*….* 1$' x
    [ "$(sed '1d;$d' x | wc -L)" -le 60 ]
    [ "$(TERM=xterm on_terminal 'profsum -n 20 x.folded' | wc -l)" -eq 24 ]
    profsum x.folded >plain
    run ! grep -q $'\33' plain
    [ "$(wc -l <plain)" -eq 104 ]
}

@test "a terminal shows of long names what tells them apart, and other output the whole" {
    need_terminal
    local name
    for name in 'github.com/some/module/v2.(*persistConn).addTLS' '/lib/json/decoder.py:decode' '/lib/yaml/decoder.py:decode'; do
        echo "main;$name 1"
    done >x.folded
    sed -i '1i main;f 1' x.folded
    TERM=dumb script -qec "stty cols 64 rows 24; profsum x.folded" /dev/null </dev/null | tr -d '\r' >x
    grep -q ' …persistConn).addTLS$' x
    grep -q ' …json/decoder…y:decode$' x
    grep -q ' …yaml/decoder…y:decode$' x
    [ "$(wc -L <x)" -le 64 ]
    profsum x.folded | grep -qF ' github.com/some/module/v2.(*persistConn).addTLS'
}

@test "on a terminal the colour of a bar says how large a share is" {
    need_terminal
    printf '%s\n' 'm;a 200' 'm;b 199' 'm;c 50' 'm;d 49' 'm;e 502' >x.folded
    # the last row is that of m, with nothing itself
    TERM=xterm script -qec 'stty cols 60 rows 20; unset NO_COLOR; profsum x.folded' /dev/null </dev/null | tr -d '\r' | sed '$d' >found
    printf '%s\n' x.folded 'samples: 1000 in 5 records' $'\33[1mself  self %  total  total %              name\33[0m' \
        $' 502   50.20    502    50.20  \33[31m██████████\33[0m  e' $' 200   20.00    200    20.00  \33[31m████\33[0m        a' \
        $' 199   19.90    199    19.90  \33[33m████\33[0m        b' $'  50    5.00     50     5.00  \33[33m█\33[0m           c' \
        $'  49    4.90     49     4.90  \33[32m█\33[0m           d' | same - found
}

@test "differences cancel, and percents are of all that there is" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
        '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' \
        '{"table":"functions","function_id":2,"name":"g","system_name":"g","filename":"","start_line":0}' \
        '{"table":"locations","location_id":1,"function_id":1,"line":0}' \
        '{"table":"locations","location_id":2,"function_id":2,"line":0}' \
        '{"table":"samples","sample_id":1,"source_id":1}' \
        '{"table":"sample_values","sample_id":1,"type":"t","unit":"u","value":-3}' \
        '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}' \
        '{"table":"samples","sample_id":2,"source_id":1}' \
        '{"table":"sample_values","sample_id":2,"type":"t","unit":"u","value":1}' \
        '{"table":"sample_locations","sample_id":2,"depth":1,"location_id":2}' \
        '{"table":"sample_locations","sample_id":2,"depth":2,"location_id":1}' \
        '{"table":"sample_locations","sample_id":2,"depth":3,"location_id":1}' >rows
    [ "$(profsum --format=csv rows | tr '\n' ' ')" = 'function,self,self_pct,total,total_pct,type,unit,all,rows_left_out,no_stack f,-3,-75,-2,-50,t,u,4,0,0 g,1,25,1,25,t,u,4,0,0 ' ]
    # a sum that 64 bits do not hold, of stacks that they do
    sed 's/"value":-3/"value":9223372036854775807/; s/"value":1}/"value":9223372036854775807}/' rows >large
    profsum --format=csv large | grep -q '^f,9223372036854775807,50,18446744073709551614,100,t,u,18446744073709551614,0,0$'
}

@test "all types side by side are those of each" {
    for file in "$ROOT/samples/pprof/go-heap.pb.gz" "$ROOT/samples/perf/chain.txt" "$SAMPLES/plain.out" rows; do
        [ "$file" != rows ] || profcat -q "$ROOT"/samples/perf/{chain,syscalls}.txt >rows
        for by in function line comm; do
            profsum -q --by=$by --type=all --format=tsv "$file" >all
            column type unit <all | uniq >types
            [ "$(wc -l <types)" -ge 2 ]
            sort types | uniq -d | same - <(:)
            while IFS=$'\t' read -r type unit; do
                name=${by/comm/label}
                profsum -q --by=$by --type="$type/$unit" --format=tsv "$file" >one
                column $name self self_pct total total_pct type unit all <one >expected
                column $name self self_pct total total_pct type unit all <all |
                    awk -F'\t' -v t="$type" -v u="$unit" '$6 == t && $7 == u' | same expected -
            done <types
        done
    done
    # for people, in percent of each
    profsum -q --type=all --format=json rows | jq -r '.rows[] | select(.self_pct >= 1) |
        [.function, .type, (.self_pct * 100 | round)] | @tsv' | sort >expected
    profsum -q --type=all --format=markdown rows >table
    [ "$(grep -c '^|' table)" -gt 20 ]
    awk -F'|' '/self %/ { for (i = 2; i < NF; i++) { heading = $i; gsub(/^ *| *$|`/, "", heading)
            if (sub(/ self %$/, "", heading)) at[i] = heading }; next }
        /^\|/ { name = $(NF - 1); gsub(/^ *| *$|`/, "", name); gsub(/\\/, "", name)
            for (i in at) { value = $i; gsub(/[ %]/, "", value)
                if (value + 0 >= 1) print name "\t" at[i] "\t" int(value * 100 + 0.5) } }' table | sort | same expected -
    for with in --stacks --by=stack --by=source,function '--fail-if=self(f)>1%' --follow; do
        try profsum --type=all "$with" rows
        [ "$status" -eq 2 ]
    done
    # the labels of threads by their names
    profsum -q --by=comm,tid,function --format=tsv rows | same - <(profsum -q --by=label:comm,label:tid,function --format=tsv rows)
}

@test "a sample has one entry for each label and source" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
        '{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","str":"a"},{"key":"k","str":"b"},{"key":"j","num":3,"unit":"bytes"}]}' \
        '{"table":"sample_values","sample_id":1,"type":"t","unit":"u","value":3}' \
        '{"table":"samples","sample_id":2,"source_id":1}' \
        '{"table":"sample_values","sample_id":2,"type":"t","unit":"u","value":1}' >rows
    [ "$(profsum --by=label:k --format=csv rows | cut -d, -f1-3 | tr '\n' ' ')" = 'label,self,self_pct "a,b",3 <no label>,1,25 ' ]
    [ "$(profsum --by=label:j --format=tsv rows | cut -f1-2 | tr '\n\t' ' /')" = 'label/self 3 bytes/3 <no label>/1 ' ]
    [ "$(profsum --by=source --format=tsv rows | cut -f1-2 | tr '\n\t' ' /')" = 'source/self x/4 ' ]
    # one without a name, and how profagg calls them
    sed 's/"source_type":"x"/"source_type":""/' rows >nameless
    [ "$(profsum --by=source --format=tsv nameless nameless | cut -f1-2 | tr '\n\t' ' /')" = 'source/self <unknown>/4 <unknown>#2/4 ' ]
    profsum --by=source --format=tsv nameless nameless >x
    column source self self_pct total total_pct all <x >expected
    [ "$(column no_stack <x | tr '\n' ' ')" = '4 4 ' ]
    profagg --by=source nameless nameless | profsum --format=tsv - >x
    column function self self_pct total total_pct all <x | same expected -
    [ "$(column no_stack <x | tr '\n' ' ')" = '0 0 ' ]
    profsum rows | grep -qx 't: 4 u in 2 records'
}

# Each call in the boxes of -peek: its share of what the one, or the other, has in all.
pprof_calls() {  # file
    go tool pprof -peek=. -nodecount=1000000 -nodefraction=0 -edgefraction=0 "$1" 2>/dev/null | awk '
        /^---/ { box++; between = 0; next }
        / \| / {
            name = $0
            sub(/^[^|]*[|] */, "", name)
            sub(/ [(](partial-)?inline[)]$/, "", name)
            if ($0 ~ /\| [^ ]/) { self = name; between = 1; for (i = 1; i <= n; i++) print callers[i] "\t" self "\t" shares[i]; n = 0 }
            else if (between) print self "\t" name "\tcallee\t" $2 + 0
            else { callers[++n] = name; shares[n] = "caller\t" $2 + 0 }
        }' | LC_ALL=C sort
}

@test "go tool pprof -peek says the same of calls" {
    need go
    for sample in "$ROOT"/samples/pprof/go-*.pb.gz; do
        pprof_calls "$sample" >theirs
        profsum --format=tsv "$sample" | column function total >totals
        profsum --calls --format=tsv "$sample" | column caller callee total | awk -F'\t' '
            FNR == NR { total[$1] = $2; next }
            {
                print $1 "\t" $2 "\tcallee\t" 100 * $3 / total[$1]
                print $1 "\t" $2 "\tcaller\t" 100 * $3 / total[$2]
            }' totals - | LC_ALL=C sort >ours
        [ -s theirs ]
        cut -f1-3 theirs >names
        cut -f1-3 ours | same names -
        paste theirs ours | awk -F'\t' '{ d = $4 - $8; if ((d < 0 ? -d : d) > 0.0051 + $8 / 1000) print }' >found
        [ ! -s found ] || fail "$sample" "$(cat found)"
    done
}

@test "--peek has the calls of --calls, of what is asked for" {
    for sample in "$ROOT/samples/pprof/go-cpu.pb.gz" "$SAMPLES/plain.out"; do
        profsum --calls --format=tsv "$sample" | column caller callee self total | LC_ALL=C sort >calls
        profsum --peek=. --format=tsv "$sample" | column relation function of self total self_pct total_pct >all
        awk -F'\t' '$1 == "caller" { print $2 "\t" $3 "\t" $4 "\t" $5 }' all | LC_ALL=C sort | same calls -
        awk -F'\t' '$1 == "callee" { print $3 "\t" $2 "\t" $4 "\t" $5 }' all | LC_ALL=C sort | same calls -
        profsum --format=tsv "$sample" | column function self total self_pct total_pct >functions
        awk -F'\t' '$1 == "self" && $2 == $3' all | cut -f2,4-7 | same functions -
        # callers above, callees below, the larger first
        awk -F'\t' '{
            rank = $1 == "caller" ? 1 : $1 == "self" ? 2 : 3
            if ($3 == of && (rank < last || (rank == last && $5 > total))) exit 1
            of = $3; last = rank; total = $5
        }' all
    done
    profsum --peek='^lm$' --format=tsv "$SAMPLES/plain.out" | column of | sort -u >found
    [ "$(cat found)" = lm ]
    [ "$(profsum --peek='^lm$' "$SAMPLES/plain.out" | grep -c '^.*  lm$')" -eq 1 ]
    try profsum --peek=nothing "$SAMPLES/plain.out"
    says 1 'profsum: --peek: no function matches "nothing"'
}

@test "a budget that is exceeded names what exceeds it, and fails" {
    try profsum --fail-if='total(^lm$|^coef$) > 93.5 points' --format=tsv "$SAMPLES/plain.out"
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profsum: --fail-if: "total(^lm$|^coef$) > 93.5 points": coef has 94.07' ]
    profsum --format=tsv "$SAMPLES/plain.out" | same stdout -
    try profsum -o x --fail-if='self>7points' "$SAMPLES/plain.out"
    says 4 'profsum: --fail-if: "self>7points": make.unique has 7.63'
    [ -s x ]
    for good in 'self > 7.7 points' 'total(^make) > 8 points' 'self(^make|(a|b)c>) > 8 points'; do
        try profsum --fail-if="$good" "$SAMPLES/plain.out"
        says 0
    done
    for bad in '' self 'self > 5' 'self > 5%' 'cost > 5 points' 'self(x > 5 points' 'self() > 101 points' 'self > -1 points' 'self > 5 points and so on' 'self > x points'; do
        try profsum --fail-if="$bad" "$SAMPLES/plain.out"
        [ "$status" -eq 2 ]
        [ ! -s stdout ]
    done
}

@test "a budget for what is not there fails, and one of nothing is not kept" {
    try profsum -q --fail-if='self(nobody) > 0 points' "$SAMPLES/plain.out"
    says 4 'profsum: --fail-if: "self(nobody) > 0 points": no name matches (--absent-ok accepts that)'
    try profsum --absent-ok --fail-if='self(nobody) > 0 points' "$SAMPLES/plain.out"
    says 0 'profsum: --fail-if: "self(nobody) > 0 points": no name matches'
    try profsum -q --type=none --fail-if='self > 99 points' "$SAMPLES/plain.out"
    [ "$status" -eq 4 ]
    # all of several are judged
    try profsum -q --fail-if='total(^lm$) > 99 points' --fail-if='total(^coef$) > 93.5 points' --fail-if='self(nobody) > 0 points' --fail-if='self>7points' "$SAMPLES/plain.out"
    says 4 'profsum: --fail-if: "total(^coef$) > 93.5 points": coef has 94.07' 'profsum: --fail-if: "self(nobody) > 0 points": no name matches (--absent-ok accepts that)' \
        'profsum: --fail-if: "self>7points": make.unique has 7.63'
    printf '{"table":"meta","key":"version","value":"2.0"}\n' >empty
    printf 'main;work 0\n' >zero
    for nothing in empty zero; do
        try profsum --fail-if='self > 5 points' $nothing
        says 4 'profsum: --fail-if: "self > 5 points": the profile is empty: there is nothing to judge'
    done
}

@test "nodes and stacks are those of the text" {
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2folded -q --type=samples | sort >stacks
    profsum --stacks --format=tsv "$SAMPLES/plain.out" | column stack value depth root leaf | awk -F'\t' '{
        n = split($1, frame, ";")
        if ($3 != n || $4 != frame[1] || $5 != frame[n]) exit 1
        print $1, $2
    }' | LC_ALL=C sort | same stacks -
    awk '
        {
            count = $NF; sub(/ [0-9]+$/, ""); n = split($0, frame, ";"); all += count
            self[frame[n]] += count; leaf[frame[n]] = 1; root[frame[1]] = 1
            split("", seen)
            for (i = 1; i <= n; i++) if (!(frame[i] in seen)) { seen[frame[i]]; total[frame[i]] += count; totals += count }
        }
        END {
            for (name in total)
                printf "%s\t%d\t%.2f\t%d\t%.2f\t%s\t%s\n", name, self[name], 100 * self[name] / all, total[name],
                    100 * total[name] / totals, root[name] ? "true" : "false", leaf[name] ? "true" : "false"
        }' stacks | LC_ALL=C sort >nodes
    profsum --nodes --format=tsv "$SAMPLES/plain.out" | column function self self_pct total total_pct_totals is_root is_leaf |
        awk -F'\t' '{ printf "%s\t%d\t%.2f\t%d\t%.2f\t%s\t%s\n", $1, $2, $3, $4, $5, $6, $7 }' | LC_ALL=C sort | same nodes -
}

@test "paths add up to the stacks that begin with them" {
    ndjson2folded -q --type=samples "$SAMPLES/plain.out" >stacks
    awk '
        {
            count = $NF; sub(/ [0-9]+$/, ""); n = split($0, frame, ";"); path = ""
            for (i = 1; i <= n; i++) { path = path (i > 1 ? ";" : "") frame[i]; total[path] += count; depth[path] = i }
            self[path] += count
        }
        END { for (path in total) print path "\t" self[path] + 0 "\t" total[path] "\t" depth[path] }' stacks | LC_ALL=C sort >paths
    profsum --hot-paths --type=samples --format=tsv "$SAMPLES/plain.out" >found
    column stack self total level <found | LC_ALL=C sort | same paths -
    # a path stands behind the one that it goes on, and siblings by total
    column stack total level <found | awk -F'\t' '{
        parent = $1
        if ($3 > 1 && (sub(/;[^;]*$/, "", parent) != 1 || open[$3 - 1] != parent)) exit 1
        if (last[$3, parent] != "" && last[$3, parent] < $2) exit 1
        open[$3] = $1; last[$3, $3 == 1 ? "" : parent] = $2
    }'
    # an end is set to paths, as deep recursion would make long ones
    awk 'BEGIN { printf "f"; for (i = 0; i < 200; i++) printf ";f"; print " 1" }' >deep.folded
    [ "$(profsum --hot-paths --format=csv deep.folded | wc -l)" -eq 65 ]
    [ "$(profsum --hot-paths --max-depth=300 --format=csv deep.folded | wc -l)" -eq 202 ]
    [ "$(profsum --hot-paths --max-depth=2 --format=csv deep.folded | tail -n 1)" = 'f;f,2,0,0,1,100,samples,count,1,199,0' ]
    # what is beyond it is counted with what -n leaves out, and its self is reported
    printf 'a;b;c;d 3\na;b;c;e 2\na;x;c;d 1\na;b 4\n' >forked.folded
    [ "$(profsum --hot-paths --max-depth=2 -n 2 --format=json forked.folded | jq -c '[.rows_left_out, (.rows | length)]')" = '[6,2]' ]
    profsum --hot-paths --max-depth=2 forked.folded | tail -n 1 | same - <(echo 'and 5 more rows: 60.00 % self')
}

@test "paths that people see are those of programs, and deep ones keep their names" {
    need python3
    need_terminal
    cat >paths.py <<'END'
import json, sys
shown = open('shown').read().split('\n')
at = next(line for line in shown if line.endswith('path')).index('path')
stack, last, found = [], {}, []
for line in shown[3:]:
    if line.startswith('and ') or not line:
        break
    name = line[at:].lstrip(' ')
    forks = (len(line[at:]) - len(name)) // 2
    if name.startswith('> '):
        stack = stack + [name[2:]]
    else:
        stack = last.get(forks - 1, []) + [name]
    last[forks] = stack
    found.append(stack)
expected = [row['stack'] for row in json.load(open('table'))['rows']]
assert found == expected, [(a, b) for a, b in zip(found, expected) if a != b][:3]
assert len(found) > 20 and max(map(len, found)) > 10
END
    for file in "$SAMPLES/plain.out" "$ROOT/samples/pprof/go-cpu.pb.gz"; do
        for share in 0 5; do
            profsum --hot-paths --min-share=$share "$file" >shown
            profsum --hot-paths --min-share=$share --format=json "$file" >table
            python3 paths.py
        done
        profsum --hot-paths -n 30 "$file" >shown
        profsum --hot-paths -n 30 --format=json "$file" >table
        python3 paths.py
    done
    TERM=xterm script -qec "stty cols 80 rows 99; profsum -q --hot-paths $SAMPLES/deep.out" /dev/null </dev/null >shown
    [ "$(grep -c 'descend_to_the_[a-z]*t' shown)" -ge 90 ] || fail "$(cat shown)"
}

@test "a sequence of more runs than memory is to hold is whole" {
    awk 'BEGIN { print "sample.interval=20000"; for (i = 0; i < 200000; i++) print "\"f" i % 7 "\"" }' >x.out
    profsum --profile --format=tsv x.out | column stack samples stack_id >found
    awk 'BEGIN { for (i = 0; i < 200000; i++) print "f" i % 7 "\t1\t" i % 7 + 1 }' | same found -
}

@test "what has several counts is so many samples" {
    printf 'f;g 3\nf 1\n' >x.folded
    [ "$(profsum --stacks --format=tsv x.folded | column stack value | tr '\n\t' ' /')" = 'f;g/3 f/1 ' ]
    # where no counts are, each is one
    [ "$(profsum --nodes --format=tsv "$ROOT/samples/pprof/go-heap.pb.gz" | column self | awk '{ n += $1 } END { print n }')" \
        -eq "$(pprof2ndjson "$ROOT/samples/pprof/go-heap.pb.gz" | grep -c '"table":"samples"')" ]
}

@test "--follow shows on a terminal what there is, in place, as it grows" {
    need_terminal
    mkfifo pipe
    TERM=xterm script -qefc 'stty cols 80 rows 8; profsum --follow pipe' seen </dev/null >/dev/null 3>&- &
    exec 7>pipe
    printf 'sample.interval=20000\n"f" "main" \n' >&7
    wait_until grep -q 'cpu: 20.00 ms in 1 sample' seen
    printf '"g" "main" \n%.0s' 1 2 3 4 5 6 7 >&7
    wait_until grep -q 'cpu: 160.00 ms in 8 samples' seen
    tr -d '\r\n' <seen | grep -q $'\33\[H\33\[Jpipecpu: 160.00 ms'
    exec 7>&-
    wait
    # each table has as many rows as the terminal, and the last one is the usual one
    tr -d '\r' <seen | sed $'s/\33\\[H\33\\[J/\\n/g; s/\33\\[[0-9]*m//g' | grep -A 4 '^cpu: 160' | tail -n 4 | sed '/^Script done/d;/^$/d' >last
    { printf 'sample.interval=20000\n"f" "main" \n'; printf '"g" "main" \n%.0s' 1 2 3 4 5 6 7; } >x.out
    profsum x.out | sed 1,2d | same last -
    # elsewhere it changes nothing
    profsum <x.out >expected
    profsum --follow <x.out | same expected -
}

@test "--follow waits at the end of a file for more, on a terminal, until an interrupt" {
    need_terminal
    : >x.out
    TERM=xterm script -qefc 'stty cols 80 rows 8; echo $$ >pid; exec profsum --follow x.out' seen </dev/null >/dev/null 3>&- &
    wait_until test -s pid
    printf 'sample.inter' >>x.out
    sleep 0.5
    printf 'val=20000\n"f" "main" \n' >>x.out
    wait_until grep -q 'cpu: 20.00 ms in 1 sample' seen
    printf '"g" "main" \n"g" "ma' >>x.out
    wait_until grep -q 'cpu: 40.00 ms in 2 samples' seen
    printf 'in" \n' >>x.out
    wait_until grep -q 'cpu: 60.00 ms in 3 samples' seen
    kill -INT "$(cat pid)"
    wait $!
    # each state is drawn once, and the last one again
    [ "$(grep -c 'cpu: ' seen)" -eq 4 ] || fail "$(cat seen)"
    # where nothing has come that is no fault
    : >x.out
    rm pid
    TERM=xterm script -qefc 'echo $$ >pid; exec profsum --follow x.out' seen </dev/null >/dev/null 3>&- &
    wait_until test -s pid
    sleep 0.5
    kill -INT "$(cat pid)"
    wait $! || fail "status $?" "$(cat seen)"
    ! grep profsum: seen || fail "$(cat seen)"
    # a document ends where it ends, as does what is compressed, and each file but the last
    gzip -c "$SAMPLES/plain.out" >x.gz
    gunzip -c "$ROOT/samples/pprof/go-cpu.pb.gz" >x.pb
    tr -d '\n' <"$ROOT/samples/speedscope/words.speedscope.json" >x.json
    for files in x.pb x.gz x.json "$SAMPLES/plain.out x.pb"; do
        TERM=xterm script -qefc "timeout 20 profsum --follow $files" seen </dev/null >/dev/null 3>&-
        grep -qE '(cpu|time): ' seen
    done
    # a pipe is waited for, too
    mkfifo pipe
    rm pid
    TERM=xterm script -qefc 'echo $$ >pid; exec profsum --follow pipe' seen </dev/null >/dev/null 3>&- &
    exec 7>pipe
    printf 'sample.interval=20000\n"f" "main" \n' >&7
    wait_until grep -q 'cpu: 20.00 ms in 1 sample' seen
    kill -INT "$(cat pid)"
    wait $!
    exec 7>&-
}

@test "--follow takes from a folder what is whole, until an interrupt" {
    need_terminal
    mkdir d d/folder.out
    cp "$SAMPLES/plain.out" d/.hidden
    echo 'main;f 1' >d/b.folded
    : >d/empty
    TERM=xterm script -qefc 'stty cols 80 rows 8; echo $$ >pid; exec profsum --follow d' seen </dev/null >/dev/null 3>&- &
    wait_until grep -q 'samples: 1 in 1 record' seen
    # of these none is whole, until the third is
    echo 'not a profile' >d/notes.txt
    head -c 500 "$ROOT/samples/pprof/go-cpu.pb.gz" >d/cpu.pb.gz
    printf 'main;g 2' >d/a.folded
    echo 'main;h 4' >d/c.folded
    wait_until grep -q 'samples: 5 in 2 records' seen
    printf '\n' >>d/a.folded
    wait_until grep -q 'samples: 7 in 3 records' seen
    # what has been read counts once
    echo 'main;h 4' >>d/c.folded
    echo 'main;f 8' >e
    mv e d/d.folded
    # under one of its names
    ln -s d.folded d/a-link.folded
    ln d/d.folded d/e.folded
    wait_until grep -q 'samples: 15 in 4 records' seen
    # and nothing is no profile yet
    echo 'main;e 16' >>d/empty
    wait_until grep -q 'samples: 31 in 5 records' seen
    kill -INT "$(cat pid)"
    wait $!
    grep -q '^profsum: not a whole profile, and left out: 2 files, such as "d/cpu.pb.gz"' seen
    # what is wrong with the first, and nothing before
    [ "$(grep 'expected' seen | tr -d '\r')" = 'profsum: d/cpu.pb.gz: offset 500: the gzip data is cut off: expected more bytes, found the end' ] || fail "$(grep expected seen)"
    run grep -c 'changed after it was read, which is not counted: 1 file, such as "d/c.folded"' seen
    [ "$output" -eq 1 ]
    grep -q '^profsum: not read, nor are files in it: 1 folder, such as "d/folder.out"' seen
    # elsewhere the table comes at the end; an interrupt before there is anything is no error
    mkdir none
    listening profsum --follow none >out &
    wait_until follows $!
    kill -INT $!
    wait $!
    profsum --allow-empty </dev/null | same out -
    for operands in 'd d' 'd x.out'; do
        try profsum --follow $operands
        says 2 'profsum: --follow: expected one folder, or files, found 2'
    done
    try profsum --follow --columns d
    says 2 'profsum: --columns reads no files, found "d"'
    # what has been read is shown although the folder is gone
    echo 'main;z 3' >none/z
    rm seen
    TERM=xterm script -qefc 'stty cols 80 rows 8; exec profsum --follow none' seen </dev/null >/dev/null 3>&- &
    wait_until grep -q 'samples: 3 in 1 record' seen
    rm -r none
    status=0
    wait $! || status=$?
    [ "$status" -eq 3 ]
    [ "$(grep -c 'samples: 3 in 1 record' seen)" -eq 2 ]
    grep -q '^profsum: cannot open none: No such file or directory' seen
    # the output is no input
    echo 'main;a 1' >d/out.txt
    try profsum --follow -o d/out.txt d
    says 2 'profsum: d/out.txt is input and output at once: only profile rows may be'
}

@test "--follow says so of the only file in a folder, if it is not whole" {
    mkdir d
    echo 'not a profile' >d/notes.txt
    listening profsum --follow d >stdout 2>stderr 3>&- &
    wait_until follows $!
    wait_until is_idle $!
    kill -INT $!
    wait $! || true # by then it may have read it, too
    grep -Fx 'profsum: not a whole profile, and left out: 1 file, such as "d/notes.txt"' stderr
}

# Whether the process waits for something.
is_idle() {  # pid
    grep -q '^State:.S' "/proc/$1/status"
}

# Whether the process is that of the tool, and waits for SIGINT by itself.
follows() {  # pid
    local caught
    [ "$(cat "/proc/$1/comm")" = profsum ] || return
    caught=$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status")
    [ $((16#${caught: -1} & 2)) -ne 0 ]
}

@test "the sequence of samples is that of the text" {
    for sample in plain; do
        ndjson2folded -q --no-aggregate --type=samples "$SAMPLES/$sample.out" | sed 's/ 1$//' >sequence
        awk '!($0 in number) { number[$0] = ++n } { print $0 "\t" number[$0] }' sequence | uniq -c |
            sed 's/^ *\([0-9]*\) \(.*\)\t\(.*\)$/\2\t\1\t\3/' >runs
        profsum --profile --format=tsv "$SAMPLES/$sample.out" | column stack samples stack_id | same runs -
        profsum --profile "$SAMPLES/$sample.out" >found
        [ "$(sed -n 2p found)" = "$(wc -l <sequence) samples of $(sort -u sequence | wc -l) stacks in $(wc -l <runs) streaks" ]
        for depth in 1 2 3 4 5 6 7 8; do
            # what is not so deep ends a run
            cut -d ';' -f "1-$depth" sequence | awk -F';' -v n=$depth '
                NF < n { last = ""; next }
                $0 != last { runs++ }
                { last = $0 }
                END { print runs + 0 }'
        done | tr '\n' ' ' | sed 's/ $//' >depths
        tail -n 1 found | cut -d ' ' -f 4-11 | tr '\n' ' ' | sed 's/ $//' | same depths -
    done
    # runs that stand for several samples
    printf 'a;f 3\na;f 1\ng 2\na;f 1\n' >x.folded
    [ "$(profsum --profile --format=csv x.folded | cut -d, -f1,2,4 | tr '\n' ' ')" = 'stack,stack_id,samples a;f,1,4 g,2,2 a;f,1,1 ' ]
}

@test "what options get wrong is said" {
    for option in --type=samples --follow; do
        try profsum --profile $option "$SAMPLES/plain.out"
        says 2 'profsum: --profile cannot be used with --type or --follow'
    done
    try profsum --nodes --calls "$SAMPLES/plain.out"
    says 2 'profsum: expected only one of --nodes, --stacks, --traces, --profile, --samples, --models, --calls, --peek, --list and --hot-paths'

    try profsum --max-depth=3 "$SAMPLES/plain.out"
    says 2 'profsum: --max-depth needs --hot-paths'
    for option in --by=lines --by=label: --sort=up --format=xml --max-rows=-1 --max-rows=x --max-rows=1.5 --max-depth=x --max-depth=0 --min-share=x --min-share=nan --type=/; do
        try profsum $option "$SAMPLES/plain.out"
        [ "$status" -eq 2 ]
        [ ! -s stdout ]
        grep -qE "^profsum: ${option%%=*}: expected .*, found \"${option#*=}\"( \(for a label: .*)?$" stderr
    done
    try profsum --type=cpus "$SAMPLES/plain.out"
    says 1 'profsum: --type: no source has the type "cpus"; there are: samples/count, cpu/nanoseconds'
}
