#!/usr/bin/env bats
# What perf script prints: against what perf report counts of the same, and by way of other formats.
load helpers

PERF=$ROOT/samples/perf

# What perf report has counted, a line for each event and symbol: EVENT, samples, period, symbol. It shows
# addresses where it knows no symbol.
report() {
    awk '
        /^# Samples: / { sub(/.* of event \047/, ""); sub(/\047$/, ""); event = $0; next }
        /^#/ || NF < 5 { next }
        {
            samples = $2; period = $3
            sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +\[.\] /, ""); sub(/ +$/, "")
            if ($0 ~ /^0x[0-9a-f]+$/) $0 = "[unknown]"
            key = event "\t" $0
            all[key] += samples; periods[key] += period
        }
        END { for (key in all) print key "\t" all[key] "\t" periods[key] }' | LC_ALL=C sort
}

# The same of rows, for what perf calls a symbol: what others are inlined into.
count_rows() {
    awk '
        function number(name, at) {
            at = index($0, "\"" name "\":")
            return at ? substr($0, at + length(name) + 3) + 0 : 0
        }
        function text(name, rest) {
            rest = substr($0, index($0, "\"" name "\":\"") + length(name) + 4)
            return substr(rest, 1, index(rest, "\"") - 1)
        }
        /^{"table":"functions"/ { names[number("function_id")] = text("name") }
        /^{"table":"locations"/ {
            functions[number("location_id")] = number("function_id")
            into[number("location_id")] = number(".inlined_into")
        }
        /^{"table":"sample_values"/ && text("type") == "samples" { count = number("value") }
        /^{"table":"sample_values"/ && text("type") != "samples" { event = text("type"); value = number("value") }
        /"depth":1,/ {
            for (at = number("location_id"); into[at]; ) at = into[at]
            key = event "\t" (functions[at] ? names[functions[at]] : "[unknown]")
            all[key] += count; periods[key] += value
        }
        END { for (key in all) print key "\t" all[key] "\t" periods[key] }' | LC_ALL=C sort
}

@test "each event and symbol has the samples and the periods that perf report counts" {
    count=0
    for name in chain chain-srcline flat flat-fields inlined inlined-srcline deleted; do
        report <"$PERF/$name.report" >expected
        perf2ndjson -q "$PERF/$name.txt" | count_rows | diff expected - || fail "$name"
        count=$((count + $(wc -l <expected)))
    done
    [ $count -ge 15 ]
    # of tracepoints no period is printed: each is one
    report <"$PERF/syscalls.report" |
        awk -F '\t' -v OFS='\t' '$1 ~ /^syscalls/ { $4 = $3; tracepoints++ } { print } END { exit tracepoints == 0 }' >expected
    perf2ndjson "$PERF/syscalls.txt" | count_rows | same expected -
}

@test "every sample is there: as many as perf script has printed" {
    for file in "$PERF"/*.txt; do
        profvalidate <(perf2ndjson -q "$file")
        # a header has a thread, and no frame and no record looks like it
        printed=$(grep -v '^#' "$file" | grep -v PERF_RECORD_ | grep -c '[0-9] .*[a-z]: ')
        [ "$printed" -ge 10 ]
        [ "$(perf2ndjson -q "$file" | grep -c '^{"table":"samples"')" -eq "$printed" ]
        [ "$(perf2ndjson -q "$file" | grep -c '"type":"samples","unit":"count","value":1}')" -eq "$printed" ]
    done
}

@test "threads, times and places are what perf has printed" {
    # a name that looks like a time, one that ends in a number
    for name in chain flat flat-fields inlined deleted; do
        perf2ndjson -q "$PERF/$name.txt" | grep -o '"comm","str":"[^"]*"' | sort -u >found
        grep -qxF '"comm","str":"w [003] 1.0: x"' found
        grep -qxF '"comm","str":"V8 Worker"' found
        [ $name = deleted ] || grep -qxF '"comm","str":"FS Broker 5858"' found
        [ "$(wc -l <found)" -le 4 ]
    done
    # nanoseconds exactly: its digits without the point are the number
    grep -o '[0-9]*\.[0-9]\{9\}: ' "$PERF/flat.txt" | tr -d '.: ' >expected
    perf2ndjson "$PERF/flat.txt" | sed -n 's/.*".time":\([0-9]*\),.*/\1/p' | same expected -
    grep -o '[0-9]*\.[0-9]\{6\}: ' "$PERF/chain.txt" | tr -d '.: ' | sed 's/$/000/' >expected
    perf2ndjson "$PERF/chain.txt" | sed -n 's/.*".time":\([0-9]*\),.*/\1/p' | same expected -
    # the same samples, with lines and without: only these differ
    for name in chain inlined; do
        perf2ndjson "$PERF/$name.txt" | ndjson2folded -q >expected
        perf2ndjson "$PERF/$name-srcline.txt" | ndjson2folded -q | same expected -
        perf2ndjson "$PERF/$name-srcline.txt" | grep -c '"filename":"workers.cc"' >count
        [ "$(cat count)" -ge 3 ]
    done
}

@test "inlined functions, symbols of C++, and files that are gone" {
    ndjson2folded -q "$PERF/inlined.txt" >stacks
    grep -q ';hash;mix_all_\[i\]' stacks
    grep -q ';(anonymous namespace)::Hash::operator();hash;' stacks
    perf2ndjson -q "$PERF/deleted.txt" | grep -q '"table":".mappings".*"filename":"/tmp/perf samples[^"]*/two gone (deleted)"'
    # its header stands with the source, its records are counted
    perf2ndjson -v "$PERF/deleted.txt" >rows 2>said
    grep '^# ' "$PERF/deleted.txt" | while read -r line; do
        grep -qF "\"${line%% }" rows || fail "$line"
    done
    grep -q 'lines\? of \(another kind\|other kinds\): PERF_RECORD_MMAP2$' said
}

# A frame without a symbol is called by its file, in brackets, as [libc.so.6].
@test "sums per function are the same by way of pprof and of folded stacks" {
    need go
    for name in chain flat deleted; do
        report <"$PERF/$name.report" >all
        cut -f 1 all | sort -u >events
        ndjson2pprof -q -o x.pb.gz "$PERF/$name.txt"
        while read -r event; do
            awk -F '\t' -v event="$event" '$1 == event { print $4 "\t" $2 }' all | sort >expected
            go tool pprof -top -nodecount=100000 -nodefraction=0 -unit=nanoseconds -sample_index="$event" x.pb.gz 2>/dev/null |
                sed '1,/flat%/d' |
                awk '$1 + 0 > 0 { n = $1 + 0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, ""); sub(/^\[.*\]$/, "[unknown]"); sums[$0] += n } END { for (s in sums) printf "%d\t%s\n", sums[s], s }' |
                sort | diff expected - || fail "$name, $event by pprof"
            ndjson2folded -q --type="$event" "$PERF/$name.txt" |
                awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); sub(/_\[k\]$/, ""); sub(/^\[.*\]$/, "[unknown]"); sums[$0] += n } END { for (s in sums) if (sums[s]) printf "%d\t%s\n", sums[s], s }' |
                sort | diff expected - || fail "$name, $event by folded stacks"
        done <events
    done
}

# Of FILE, the type that each tool shows that shows one.
shown_by_all() {
    profsum -n 1 "$1" | sed -n '2s/: .*//p'
    ndjson2pprof -q -o x.pb.gz "$1" && go tool pprof -top x.pb.gz 2>>pprof.log | sed -n 's/^Type: //p'
    ndjson2speedscope -q "$1" | jq -r '.profiles[.activeProfileIndex].profpipe.type'
    ndjson2perun -q "$1" | jq -r .collector_info.params.type
}

# FILE is shown by its event TYPE, whose values add up to SUM.
shows() {
    shown_by_all "$1" >shown
    [ "$(wc -l <shown)" -eq 4 ]
    [ "$(sort -u shown)" = "$2" ] || fail "$1: $(cat shown)"
    [ "$(ndjson2folded -q "$1")" = "f $3" ]
}

@test "what is shown first is the first event of the header that has samples" {
    need go jq
    sample() { printf 'a 1 1.000001: %10d %s: \n\t1 f (/a)\n\n' "$2" "$1"; }
    header() { for event; do echo "# event : name = $event, , id = { 1 }"; done; }
    { sample page-faults 7; sample page-faults 8; sample cpu-clock 9; } >samples
    { header cpu-clock page-faults; cat samples; } >x
    shows x cpu-clock 9
    # the others are named
    for tool in profsum 'profflame -o x.svg'; do
        try $tool x
        says 0 "${tool%% *}: samples of other types, which --type shows: page-faults (2)"
        try $tool --type=cpu-clock x
        says 0
    done
    { header context-switches cpu-clock page-faults; cat samples; } >x
    shows x cpu-clock 9
    { header context-switches page-faults cpu-clock; cat samples; } >x
    shows x page-faults 15
    # a clock whose unit the first sample does not tell
    { header cpu-clock; printf 'a 1 1.000001: sched:x: \n\t1 f (/a)\n\n'; sample cpu-clock 9; } >x
    shows x cpu-clock 9
    { header cpu-clock; printf 'a 1 1.000001: %s: \n\t1 f (/a)\n\n' sched:x cpu-clock; } >x
    shows x cpu-clock 1
    # and what counts alone is there for who needs that
    ndjson2rprof -q x >x.out
    [ "$(rprof2ndjson x.out | grep -c '"table":"samples"')" -eq 2 ]
    prof2to1 -q x | profvalidate
}

@test "without a header that of most samples is shown, in whatever order they come" {
    need go jq
    sample() { printf 'a 1 1.000001: %10d %s: \n\t1 f (/a)\n\n' "$2" "$1"; }
    { sample page-faults 70; sample cpu-clock 4; sample cpu-clock 5; } >x
    shows x cpu-clock 9
    { sample cpu-clock 4; sample page-faults 70; sample cpu-clock 5; } >x
    shows x cpu-clock 9
    { sample cpu-clock 9; sample page-faults 70; } >x
    shows x page-faults 70
    { sample page-faults 70; sample cpu-clock 9; } >x
    shows x page-faults 70
}

@test "stacks are those of stackcollapse-perf.pl, but for what it loses" {
    [ -e "${PEERS-}/stackcollapse-perf.pl" ] || skip "PEERS names no folder with it"
    need perl
    # one event, since it adds up the first one only
    awk -v RS= -v ORS='\n\n' '/ cpu-clock:u: /' "$PERF/chain.txt" >one.txt
    # it puts the thread first, and leaves out frames that begin with a parenthesis
    perl "$PEERS/stackcollapse-perf.pl" one.txt 2>peer.log | sed 's/^[^;]*;//' |
        awk '{ n = $NF; sub(/ [0-9]+$/, ""); sums[$0] += n } END { for (s in sums) print s " " sums[s] }' |
        LC_ALL=C sort >expected
    [ "$(wc -l <expected)" -ge 3 ]
    ndjson2folded -q one.txt | awk '{
        n = $NF; sub(/ [0-9]+$/, ""); count = split($0, frames, ";"); line = ""
        for (i = 1; i <= count; i++) if (frames[i] !~ /^[(]/) line = line (line == "" ? "" : ";") frames[i]
        sums[line] += n
    } END { for (s in sums) print s " " sums[s] }' | LC_ALL=C sort | diff expected -
}

@test "stacks of FlameGraph's own tests are those of stackcollapse-perf.pl" {
    [ -e "${PEERS-}/stackcollapse-perf.pl" ] || skip "PEERS names no folder with it"
    compgen -G "$PEERS/test/perf-*.txt" >files || skip "PEERS names no folder with FlameGraph's tests"
    need perl
    [ "$(wc -l <files)" -ge 10 ]
    while read -r file; do
        # it drops a last sample without an empty line, doubles brackets, and shows an empty symbol as such
        { cat "$file"; echo; } | perl "$PEERS/stackcollapse-perf.pl" 2>peer.log |
            sed -E -e 's/\[\[([^];]*)\]\]/[\1]/g' -e 's/;  ([0-9]+)$/;[libc-2.15.so] \1/' | LC_ALL=C sort >expected
        [ -s expected ]
        perf2ndjson -q "$file" | awk -f "$ROOT/tests/cli/collapse-perf.awk" | LC_ALL=C sort |
            diff expected - || fail "$file"
    done <files
}

# The times of the samples of FILE, in seconds, as perf has printed them.
printed_times() {
    grep -o ' [0-9]*\.[0-9]\{6\}: ' "$1" | tr -d ': '
}

@test "times choose samples, make rows, and keep no equal stacks apart" {
    file=$PERF/chain.txt
    printed_times "$file" | awk 'NR == 1 { first = $1 } { at = int(($1 - first) * 1e6 + 0.5) }
        at >= 50000 && at < 150000' >window
    [ "$(wc -l <window)" -gt 20 ]
    proffilter --samples=50ms:150ms "$file" | sed -n 's/.*".time":\([0-9]*\)000,.*/\1/p' | same - <(tr -d . <window)
    # what a filter left begins anew
    proffilter --samples=50ms: "$file" | proffilter --samples=:100ms - | sed -n 's/.*".time":\([0-9]*\)000,.*/\1/p' |
        same - <(printed_times "$file" | awk -v from="$(head -n 1 window)" \
            '$1 >= from && $1 < from + 0.1' | tr -d .)
    # intervals have as many samples as were printed
    printed_times "$file" | awk 'NR == 1 { first = $1 } { count[int(($1 - first) * 1e6 + 0.5) / 20000 - \
        (int(($1 - first) * 1e6 + 0.5) / 20000) % 1]++ } END { for (i in count) print i * 20000000 "\t" count[i] }' |
        sort -n >expected
    [ "$(wc -l <expected)" -gt 10 ]
    profsum -q --type=samples --by=time:20ms --format=tsv "$file" | tail -n +2 | cut -f1,2 | same expected -
    profsum -q --type=samples --by=function,time:20ms --format=json "$file" |
        jq -r '.rows[] | .rows[] | "\(.time)\t\(.self)"' |
        awk '{ sum[$1] += $2 } END { for (i in sum) print i "\t" sum[i] }' | sort -n | same expected -
    # pprof has a sample for each distinct stack of a thread, and so has what is added up
    perf2ndjson "$file" >rows
    try ndjson2pprof -o x.pb.gz rows
    says 0 "ndjson2pprof: not in pprof: $(printed_times "$file" | wc -l) times of samples"
    sed 's/,".time":[0-9]*//' rows | ndjson2pprof - | cmp x.pb.gz -
}

# Of a table of several levels, its COLUMN where that is not 0, with the names of the rows.
levels_of() {  # column name ... < tsv
    column "${@:2}" "$1" | grep -v $'\t0$' | LC_ALL=C sort
}

@test "changes by several keys are those of the sums by these keys of each side" {
    check_side() {  # side, levels, sort, name ...
        levels_of "$1" "${@:4}" <both >found
        profsum -q --type=samples --by="$2" --format=tsv "$1" | levels_of "$3" "${@:4}" >expected
        [ "$(wc -l <expected)" -ge 3 ]
        same expected found
    }
    cp "$PERF/chain.txt" base
    cp "$PERF/syscalls.txt" new
    while read -r levels names; do
        for sort in self total; do
            profdiff -q --sort=$sort --measure=cost --type=samples --by="$levels" --format=tsv base new >both
            for side in base new; do
                check_side $side "$levels" $sort $names || fail "$levels, $sort of $side"
            done
        done
    done <<'END'
mapping,function mapping function
comm,mapping,function label.comm mapping function
function,tid function label.tid
comm,tid label.comm label.tid
comm,file,function label.comm file function
time:50ms,function time function
END
}

@test "the event, the program, the thread and the processor are frames at the root" {
    sed -nE 's/^ *(.*[^ ]) +[0-9]+\/([0-9]+) +\[([0-9]+)\] +[0-9.]+: +([^ ]+): addr.*/\4;\1;\2;\3/p' "$PERF/syscalls-flat.txt" |
        sed 's/;0*\([0-9]\)/;\1/g' | LC_ALL=C sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print $0 " " n }' >expected
    [ "$(wc -l <expected)" -ge 2 ]
    # by the number of samples, too, stacks are those of their event
    for type in samples syscalls:sys_enter_mmap; do
        profagg -q --label-root=type,comm,tid,cpu "$PERF/syscalls-flat.txt" | ndjson2folded -q --type=$type |
            awk '{ n = $NF; sub(/ [0-9]+$/, ""); split($0, part, ";"); key = part[1]; for (i = 2; i <= 4; i++) key = key ";" part[i]
                sums[key] += n } END { for (key in sums) print key " " sums[key] }' | LC_ALL=C sort | diff expected -
    done
    profagg -q --label-root=type "$PERF/chain.txt" | ndjson2folded -q --type=samples | sed 's/;.*//' | sort -u |
        same - <(printf '%s\n' cpu-clock:u page-faults)
}

@test "waits are the times between the switches of each thread, in a recording made here" {
    need perf python3
    perf record -q -a -o perf.data -e sched:sched_switch,sched:sched_waking -g -- \
        sh -c 'sleep 0.1; ls /; sleep 0.05' >/dev/null 2>&1 || skip "perf may not record"
    perf script -i perf.data >text 2>/dev/null
    try perf2ndjson --off-cpu -o rows text
    says 0 "perf2ndjson: text: left out: waits whose end is not in the recording ($(python3 - text waits <<'END'
import collections, re, sys
began, waits, unfinished = {}, collections.Counter(), 0
for line in open(sys.argv[1], errors="replace"):
    m = re.search(r" (-?\d+) +\[\d+\] +(\d+)\.(\d{6}): sched:sched_switch: prev_comm=.* prev_pid=(\d+) .*"
                  r" prev_state=(\S+) ==> .* next_pid=(\d+) ", line)
    if not m:
        continue
    time, before, after = int(m[2] + m[3]) * 1000, int(m[4]), int(m[6])
    if after in began:
        start, state, thread = began.pop(after)
        waits[thread, state] += max(0, time - start)  # perf may print what two processors did out of order
    if before != 0:
        unfinished += before in began
        began[before] = time, m[5], int(m[1])  # perf says -1 of a thread that is about to end
print(unfinished + len(began), end="")
with open(sys.argv[2], "w") as out:
    out.writelines(sorted("%d\t%s\t%d\n" % (*key, sum) for key, sum in waits.items() if sum))
END
)): perf record -a -e sched:sched_switch -g records all but the last one of each thread"
    profvalidate rows
    [ "$(wc -l <waits)" -gt 5 ]
    profsum --by=label:tid,label:prev_state --format=tsv rows >found
    column label.tid label.prev_state self <found | grep -v $'\t0$' | LC_ALL=C sort | diff - <(LC_ALL=C sort waits)
    grep -q '"key":"waker"' rows
    # what went to sleep is in the stack
    profsum --format=tsv rows | grep -q '^__schedule\b'
}

@test "time of frames without a line is that of no line" {
    printf 'a 1 1.000001: 5 cycles: \n\t 1 f (/k)\n\t 2 g (/a)\n  a.c:3\n\n' >x
    profsum -q --by=line --format=tsv x >found
    column function line self total <found >rows
    printf '<no line>\t\t5\t5\ng\t3\t0\t5\n' | same - rows
}

@test "inlined functions are explained by -v, and counted as perf report does by profagg" {
    perf2ndjson -v "$PERF/inlined.txt" 2>said | profagg -q --no-inlines | count_rows >found
    grep -qxE 'perf2ndjson: .*/inlined.txt: perf report counts samples in inlined functions \([1-9][0-9]*\) for .*' said
    report <"$PERF/inlined.report" | same - found
    try perf2ndjson -v "$PERF/chain.txt"
    says 0
}

@test "what perf records and prints now" {
    need perf
    plain_only 'perf may not record there'
    perf record -q -o perf.data -e cpu-clock:u -F 199 -g sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' \
        >record.log 2>&1 || skip "perf may not record here"
    perf report -i perf.data --stdio --no-children -g none --show-total-period -n --sort sym --percent-limit 0 2>report.log |
        report >expected
    [ -s expected ] || skip "perf has no sample"
    for options in '' --ns '-F +srcline' '-F comm,pid,tid,time,period,event,ip,sym,dso' '-F tid,event,period,ip,sym' --header; do
        perf script -i perf.data $options 2>script.log | perf2ndjson | count_rows | diff expected - || fail "$options"
    done
}

@test "few fields read as the same fields of all" {
    need perf python3
    plain_only 'perf may not record there'
    takes_long
    for chain in -g ''; do
        perf record -q -o perf.data -e cpu-clock,page-faults -F 199 -k CLOCK_MONOTONIC --sample-cpu -d $chain \
            sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done' >record.log 2>&1 || skip "perf may not record here"
        python3 "$ROOT/tests/cli/perf-fields.py" perf.data >found
        [ "$(wc -l <found)" -eq 1 ] || fail "$(cat found)"
        grep -qxE '[5-9][0-9] choices of [1-9][0-9]* samples' found
    done
}

# The rows of a table of perf report with tabs, without those of bare addresses: their names, then their percentages.
rows_of_report() {  # how many percentages
    awk -F '\t' -v count="$1" '
        /^#/ || NF <= count { next }
        {
            for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i)
            line = ""
            sub(/^\[.\] /, "", $NF)
            if ($NF ~ /^0x/ || (length($NF) == 16 && $NF !~ /[^0-9a-f]/)) next
            for (i = count + 1; i <= NF; i++) line = line $i "\t"
            for (i = 1; i <= count; i++) line = line $i
            print line
        }' | LC_ALL=C sort
}

# The same of rows: of a table of profsum by LEVELS, with the columns NAME.
rows_of_sums() {  # percentages, levels, name ... < rows
    local percentages=$1 levels=$2
    shift 2
    profsum -q --by="$levels" --format=tsv | column "$@" $percentages | awk -F '\t' -v count="$(wc -w <<<"$percentages")" '
        {
            line = ""
            for (i = 1; i <= NF - count; i++) {
                if ($i ~ /^\//) sub(/.*\//, "", $i)
                line = line $i "\t"
            }
            if ($(NF - count) ~ /^\[/) next
            for (i = NF - count + 1; i <= NF; i++) line = line sprintf("%.2f%%", $i)
            print line
        }' | LC_ALL=C sort
}

# The rows found are those expected, but for names that perf has twice: those of two functions, which are one here.
same_rows() {  # expected, found
    { echo; sed 's/\t[^\t]*$//' "$1" | uniq -d; } >twice
    for file in "$1" "$2"; do
        awk -F '\t' 'NR == FNR { twice[$0]; next } { line = $0; sub(/\t[^\t]*$/, "", line) } !(line in twice)' twice "$file" >"$file.once"
    done
    [ -s "$1.once" ]
    diff "$1.once" "$2.once"
}

# Self and total of functions, and self of threads, of rows: as perf report has them. It names a thread as it
# was called last.
check_keys() {  # rows, report of symbols, report of threads
    rows_of_report 2 <"$2" >expected
    [ "$(wc -l <expected)" -ge 5 ]
    rows_of_sums 'total_pct self_pct' comm,mapping,function label.comm mapping function <"$1" >found
    same_rows expected found
    rows_of_report 1 <"$3" | sed 's/:[^\t]*//' | LC_ALL=C sort >expected
    [ "$(wc -l <expected)" -ge 3 ]
    rows_of_sums self_pct label:tid label <"$1" >found
    same_rows expected found
}

# Self of lines of workers.cc.
check_lines() {  # rows, report
    rows_of_report 1 <"$2" | sed -n 's/^workers.cc:\([0-9]\)/workers.cc\t\1/p' >expected
    [ "$(wc -l <expected)" -ge 2 ]
    rows_of_sums self_pct file,line file line <"$1" | grep '^workers.cc' | grep -vw '0[.]00%' | diff expected -
}

@test "functions of threads and files, and lines, have the percentages of perf report: in samples" {
    perf2ndjson -q "$PERF/keys.txt" | profagg -q --no-inlines >rows
    check_keys rows "$PERF/keys-symbols.report" "$PERF/keys-threads.report"
    check_lines rows "$PERF/keys-lines.report"
}

@test "in five runs of each side 10 % more work in one function is found, and equal programs pass" {
    runs() { ls "$PERF"/mix-"$1"-[1-5].txt.gz; }
    profdiff $(runs base) -- $(runs new) >table
    marked() { awk '/^base %/ { rows = 1; next } rows && / [*] / { print $3, $NF }' table; }
    # what else has a mark has less of all
    [ "$(marked | sed -n 's/^[+][^ ]* //p')" = mix ] || fail "$(cat table)"
    try profdiff --fail-if='self > 5 %' $(runs base) -- $(runs new)
    [ "$status" -eq 4 ]
    [ "$(cut -d ' ' -f 1-10 stderr | sed 's/[0-9.]* %$//')" = 'profdiff: --fail-if: "self > 5 %": mix has grown by' ] || fail "$(cat stderr)"
    profdiff $(runs base) -- $(runs same) >table
    [ "$(marked)" = '' ]
    try profdiff --fail-if='self > 5 %' --fail-if='self > 1 points' $(runs base) -- $(runs same)
    says 0
}

# Prints what perf report says of perf.data by the keys of FIELDS.
report_by() {  # fields option ...
    perf report -i perf.data --stdio -g none --no-inline --percent-limit 0 -t $'\t' -F "$@" 2>report.log
}

@test "functions of threads and files, and lines, have the percentages of perf report: in recordings made here" {
    need perf g++
    plain_only 'perf may not record there'
    g++ -O1 -g -fno-omit-frame-pointer -pthread -o program "$PERF/workers.cc"
    for all in -a ''; do
        perf record -q $all -o perf.data -e cpu-clock -F 499 -g ./program >record.log 2>&1 || skip "perf may not record here"
        report_by overhead_children,overhead,comm,dso,sym --children >symbols
        report_by overhead,pid --no-children >threads
        perf script -i perf.data 2>script.log | perf2ndjson -q | profagg -q --no-inlines >rows
        check_keys rows symbols threads || fail "with $all"
    done
    report_by overhead,srcline --no-children >lines
    perf script -i perf.data -F +srcline 2>script.log | perf2ndjson -q | profagg -q --no-inlines >rows
    check_lines rows lines
}

@test "what else perf prints of a sample changes no stack" {
    need perf
    plain_only 'perf may not record there'
    for chain in -g ''; do
        perf record -q -o perf.data -e cpu-clock -F 199 --user-regs=ip,sp $chain \
            sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' >record.log 2>&1 || skip "perf may not record here"
        perf script -i perf.data 2>script.log | ndjson2folded -q >expected
        [ -s expected ] || skip "perf has no sample"
        for options in '-F +uregs' '-F +insn,+insnlen' '-F +uregs,+insn' '-F +srccode' '-F +srcline,+srccode' -L \
            '--show-task-events --show-mmap-events'; do
            perf script -i perf.data $options 2>script.log | ndjson2folded -q | diff expected - || fail "$options"
        done
    done
}

@test "it is known by its first sample" {
    frame=$'\t 643 f+0x1 (/a)\n'
    for text in 'a 1 1.000001: 5 cycles: \n' 'a 1/1 [001] 1.000001: cycles:u: \n' 'a 1 1.000001: sched:x: a=b\n' \
        'a 1/1   1 cycles: \n\t 643 f (/a)\n\n' 'a 1 1.000001: \n\t 643 f (/a)\n\n' '# x\n\na 1 1.000001: 5 cycles: \n' \
        'a 1 1.000001: PERF_RECORD_COMM: a:1/1\n' 'PERF_RECORD_FORK(1:1):(0:0)\n' 'a b \n\t    55b56daab1ac f\n\n' \
        '[001] \n\t    55b56daab1ac\n\n' 'Warning:\na b \n\t 643 f (/a)\n\n' \
        '               a     1      55b56daab1ac f (/a)\n' '# event : name = a;b 12\na 1 1.000001: a;b: 12\n' \
        'a 1 1.000001:      55b56daab1ac f\n'; do
        printf "$text" >x
        for tool in profcat perf2ndjson; do
            try $tool -q x
            [ "$(sed -n 2p stdout | grep -c '"source_type":"perf"')" -eq 1 ] || fail "$text: $(cat stderr)"
        done
        try folded2ndjson x
        [ $status -eq 1 ]
    done
    # however long its header is
    { seq 1 3000 | sed 's/^/# /'; printf 'a 1 1.000001: 5 cycles: \n\t 643 f (/a)\n\n'; } >x
    profcat x >rows
    (cat x | while IFS= read -r line; do printf '%s\n' "$line"; done) | profcat | sed 's/"source_uri":null/"source_uri":"x"/' | same rows -
    # what may be much else is read where it is asked for
    for text in '\n\t 643 f\n\n' ' ffffffff817554ea f\n' '# x\n' 'cycles: \n\n' 'a b \n\t    55b56daab1ac\n\n' \
        'a 12 cycles:\n643 f (/a)\n\n' '\n\n' 'a 1 cycles:      55b56daab1ac f\n'; do
        printf "$text" >x
        try profcat x
        [ $status -eq 1 ]
        grep -q '^profcat: x: expected a profile, found' stderr
    done
    # with what only other files than text have, too: its first line may be blank, but is no message
    for text in '\n\t 643 f (/a)\n ffffffff817554ea g\1\n' '\n\t 643 f\1 (/a)\n\n' 'python 12 cycles:\n\t 643 f\1\n\n'; do
        printf "$text" >x
        perf2ndjson x >stdout
        [ "$(grep -c '"table":"samples"' stdout)" -eq 1 ]
        for tool in profcat ndjson2folded pprof2ndjson; do
            try $tool x
            [ $status -eq 1 ]
            grep -q "^$tool: x: expected a .*, found" stderr || fail "$text: $(cat stderr)"
        done
    done
    # and nothing takes what is something else
    for text in 'a;b 1\n' 'Nov 22 02:20:41 vm kernel: x\n' 'ls-123   [001] ....   123.456789: sched_switch: x\n' '{"a": 1}\n' 'f(): \n'; do
        printf "$text" >x
        try perf2ndjson x
        [ $status -eq 1 ] || fail "$text"
    done
    printf '{"a":1,"b":\n' >x
    try perf2ndjson x
    says 1 'perf2ndjson: x: expected a perf script file, found JSON that begins "{\"a\":1,\"b\":"'
}

@test "memory is what is distinct" {
    takes_long
    plain_only 'it needs memory'
    lines() { yes 'a b 12 [001] 1.000001: 5 cycles: 
	643 g+0x1 (/a b)
	6f3 f (/a b)
' | head -c "$1"; }
    for tool in perf2ndjson ndjson2folded profcat; do
        (ulimit -v 60000; lines 40000000 | $tool -q --threads=1 >/dev/null)
    done
}

@test "what looks like a header in many places costs no more than others" {
    for word in '1: ' 'a: ' '1.1: ' '[1] 1: ' '12:30 '; do
        name=$(yes "$word" | head -n $((990 / ${#word})) | tr -d '\n')
        { printf 'a 1/1 1.000001: 5 cycles: \n\n'
          yes "$name 1/1 [000] 1.000001: 5 cycles: " | head -n 2000 | sed G; } >x
        timeout 20 perf2ndjson x >rows || fail "$word: status $?"
        [ "$(grep -c '"table":"samples"' rows)" -eq 2001 ]
    done
    # nor with many blanks behind the last of them
    { printf 'a 1 1.000001: 5 cycles: \n\t643 f (/a)\n\n'
      yes 'a: ' | head -n 340 | tr -d '\n'; printf '%10000000s\n' ''; } >x
    try timeout 10 perf2ndjson -qk x
    [ "$status" -eq 1 ] || fail "blanks: status $status"
}

@test "samples go out as they come" {
    mkfifo in
    perf2ndjson <in >out &
    exec 5>in
    printf 'a 1 1.000001: 5 cycles: \n\t643 f (/a)\n\n' >&5
    wait_until grep -q '"sample_id":1,"depth":1' out
    printf 'a 1 1.000002: 5 cycles: \n\t644 f (/a)\n\t6 g (/a)\n\n' >&5
    wait_until grep -q '"sample_id":2,"depth":2' out
    exec 5>&-
    wait $!
    profvalidate out
}

# --- recordings ---

@test "recordings are read one after another, and no more at once than there are threads" {
    need flock
    mkdir running
    cat >fake <<'END'
#!/bin/sh
[ "$1" = script ] || exit
mkdir "running/$$"
flock lock sh -c 'ls running | wc -l >>counts'
printf 'a 7/7 1.000000000: 5 cycles: \n\t1 f+0x1 (/a)\n\n'
sleep 0.02
rmdir "running/$$"
END
    chmod +x fake
    mkdir -p recordings
    for i in $(seq 20); do printf 'PERFILE2\150\0\0\0' >recordings/$i; done
    for threads in 1 2; do
        rm -f counts
        [ "$(profsum -q --threads=$threads --perf=./fake --format=tsv recordings/* | column self)" = 100 ]
        [ "$(wc -l <counts)" -eq 20 ]
        [ "$(sort -n counts | tail -n 1)" -le $threads ] || fail "$threads threads: $(sort -n counts | uniq -c)"
    done
    # more than the usual limit of open files allows
    (ulimit -Sn 40 && [ "$(profsum -q --perf=./fake --format=tsv recordings/* | column self)" = 100 ])
}

@test "what reads a recording ends with the tool, even if it writes nothing and the tool is killed" {
    [ "$(uname)" = Linux ] || skip "only Linux ends a process with its parent"
    need ps
    cat >fake <<'END'
#!/bin/sh
[ "$1" = script ] || exit
echo $$ >started
exec sleep 1000
END
    chmod +x fake
    printf 'PERFILE2\150\0\0\0' >perf.data
    cp perf.data second
    profsum --perf=./fake perf.data second >out 2>said &
    wait_until test -s started
    waiting=$(ps -o pid= --ppid $! | grep -vw "$(cat started)")
    [ "$(wc -w <<<"$waiting")" -eq 1 ]
    kill -KILL $!
    gone() { run ! kill -0 "$@" 2>/dev/null; }
    wait_until gone "$(cat started)"
    wait_until gone $waiting
    # and at the end of a tool that did not need it
    printf 'PERFILE2\150\0\0\0' >empty
    rm started
    try profsum --perf=./fake nothing.txt perf.data
    says 3 'profsum: cannot open nothing.txt: No such file or directory'
    [ ! -e started ]
}

# A perf that prints what it was called with, and a sample; it fails where FAILS is set.
fake_perf() {
    cat >fake <<'END'
#!/bin/sh
printf '%s|%s\n' "$*" "${DEBUGINFOD_URLS-unset}" >>called
if [ "$1" = buildid-list ]; then
    printf 'abc123 /bin/a b\nfff /other\n'
else
    printf 'a 7/7 1.000000000: 5 cycles: \n\t1 f+0x1 (/bin/a b)\n\n'
    echo "some warning
why it failed
" >&2
    exit ${FAILS:-0}
fi
END
    chmod +x fake
    printf 'PERFILE2\150\0\0\0' >perf.data
}

@test "a recording that is named is read by perf, with build ids, and without debuginfod" {
    fake_perf
    DEBUGINFOD_URLS=http://x try perf2ndjson --perf=./fake perf.data
    says 0
    grep -c '"filename":"/bin/a b","build_id":"abc123"' stdout | same - <(echo 1)
    run ! grep -q 'build id' stdout
    sort called | same - <(printf '%s\n' 'buildid-list -i perf.data|' 'script -i perf.data --header --ns -F +pid,+period|')
    [ "$(PROFPIPE_PERF=./fake profsum --format=tsv perf.data | cut -f1,2 | tail -n 1)" = "$(printf 'f\t5')" ]
    # twice, with --keep-going, which reads twice, and of the other byte order
    printf '2ELIFREP' >other
    [ "$(profsum -k --perf=./fake --format=tsv perf.data perf.data other | cut -f1,2 | tail -n 1)" = "$(printf 'f\t15')" ]
    for tool in profcat 'profdiff perf.data' profinfo 'proffilter --focus=f' ndjson2folded profvalidate; do
        $tool -q --perf=./fake perf.data >found || fail "$tool"
    done
    # what it says is what failed
    FAILS=3 try profsum --perf=./fake perf.data
    says 1 'profsum: perf.data: the program that reads it has failed: why it failed'
    try profsum --perf=./nothing perf.data
    says 3 'profsum: cannot run ./nothing: No such file or directory'
}

@test "perf is run for nothing else than a recording that is named" {
    fake_perf
    export PROFPIPE_PERF=./fake
    said='expected a profile, found a perf.data file ("perf script" prints what perf2ndjson reads)'
    try profsum - <perf.data
    says 1 "profsum: <stdin>: $said"
    echo perf.data >list
    try profsum --files-from list
    says 1 "profsum: perf.data: $said"
    try profsum --perf=no perf.data
    says 1 "profsum: perf.data: $said"
    PROFPIPE_PERF=no try profsum perf.data
    says 1 "profsum: perf.data: $said"
    try pprof2ndjson perf.data
    [ "$status" -eq 1 ]
    try timeout 20 profsum --follow perf.data
    says 1 "profsum: perf.data: $said"
    mkfifo pipe
    cat perf.data >pipe 3>&- &
    try profsum pipe
    says 1 "profsum: pipe: $said"
    ln -s perf.data x
    [ ! -e called ]
    profsum -q x >found
    [ -e called ]
    # without perf
    unset PROFPIPE_PERF
    mkdir empty
    tool=$(command -v profsum)
    PATH=$PWD/empty "$tool" perf.data 2>said || true
    same said - <<<"profsum: perf.data: $said"
}

@test "a recording made here is what perf script prints of it" {
    need perf
    perf record -q -o perf.data -e cpu-clock,page-faults -F 499 -g sh -c 'ls -R / >/dev/null 2>&1 & sleep 0.2; kill $!' \
        >/dev/null 2>&1 || skip "perf may not record"
    perf script -i perf.data --ns -F +pid,+period 2>/dev/null | perf2ndjson | ndjson2folded -q --type=cpu-clock | sort >expected
    [ -s expected ]
    perf2ndjson perf.data | ndjson2folded -q --type=cpu-clock | sort | same expected -
    perf buildid-list -i perf.data | awk '{ print "\"filename\":\"" $2 "\",\"build_id\":\"" $1 "\"" }' >ids
    perf2ndjson perf.data | grep -o '"filename":"[^"]*","build_id":"[0-9a-f][0-9a-f]*"' >found
    [ -s found ]
    run ! grep -vxFf ids found
    [ "$output" = "" ]
}
