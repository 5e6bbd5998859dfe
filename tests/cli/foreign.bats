#!/usr/bin/env bats
# What is given to a reader in place of its format is named, with what to do.
load helpers

READERS=$(some_tools "${TOOLS/profvalidate/}")

# Every reader says of the file x that it is this, and profvalidate too.
found() {  # message
    for tool in $READERS; do
        try $tool x
        says 1 "$tool: x: expected $(wanted_by $tool), found $1"
    done
    try profvalidate x
    says 1 "x: expected a profile, found $1 [json]" 'profvalidate: findings: json (1)'
}

# The same but for profvalidate, which looks at unknown text line by line.
found_text() {  # message
    for tool in $READERS; do
        try $tool x
        says 1 "$tool: x: expected $(wanted_by $tool), found $1"
    done
}

@test "every reader says what it wants" {
    printf '\50\265\57\375\44\0\1\0\0' >x
    READERS=${TOOLS/profvalidate/} found 'zstd data ("zstd -d" decompresses it)'
}

@test "compressed and packed data" {
    input_of rprof2ndjson >plain
    printf '\3757zXZ\0\0\4' >x
    found 'xz data ("xz -d" decompresses it)'
    printf 'BZh91AY&SY\302\15' >x
    found 'bzip2 data ("bzip2 -d" decompresses it)'
    printf '\4\42\115\30\144' >x
    found 'lz4 data ("lz4 -d" decompresses it)'
    printf 'PK\3\4\24\0\0\0' >x
    found 'a zip archive ("unzip" unpacks it)'
    gzip -c plain | gzip -c >x
    found 'gzip data inside gzip ("gzip -d" decompresses it once)'
}

@test "files of other profilers, archives, programs, and what pprof and Go print, with what converts each" {
    takes_long
    local start what
    READERS='profcat folded2ndjson'
    while IFS='|' read -r start what; do
        printf -- "$start" >x
        found_text "$what"
    done <<'END'
{\n  "meta": {\n "processType": 0 }}|an unprocessed profile of Firefox (profiler.firefox.com opens it, and saves it processed)
File: main\nType: cpu\nShowing nodes accounting for 1s\n|what pprof printed (-top or -tree) (give the profile that pprof had read)
File: main\nType: cpu\n-----------+-------\n|what pprof printed (-traces) (give the profile that pprof had read)
digraph "main" {\n|what pprof printed (-dot) (give the profile that pprof had read)
TRACE START [2026-11-22 18:50:07]\n|a trace of Xdebug for people to read (with xdebug.trace_format=1 xdebug2ndjson reads it)
{"version": 0, "costs": [{"description": "Memory", "unit": "bytes"}], "events": [{"callchain": [0], "cost": [8]}]}|JSON for gprof2dot (if memray wrote it, "memray transform speedscope" writes what speedscope2ndjson reads)
{\n "costs": [{\n "description": "Memory"}]}|JSON for gprof2dot (if memray wrote it, "memray transform speedscope" writes what speedscope2ndjson reads)
memray\0\7\0\0\0|a capture of memray ("memray transform speedscope" writes what speedscope2ndjson reads)
{"label":"x","duration":2.5,"markers":[],"frames":[]}|a recording of Firefox's old performance panel (speedscope opens it, and what it exports can be read here)
<?xml version="1.0"?>\n<trace-toc>\n|a list of the tables of Instruments (xctrace export --xpath exports one of them)
Bytes Used\tCount\t\tSymbol Name\n|a table of Instruments (speedscope opens it, and what it exports can be read here)
PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0run.trace/|a recording of Instruments in a zip archive ("unzip" unpacks it)
[ {"id":1, "method":"Network.requestWillBeSent","params":{}}]|a log of the DevTools protocol (the result of Profiler.stop in it is a .cpuprofile)
{"method":"Network.requestWillBeSent","params":{}}|a log of the DevTools protocol (the result of Profiler.stop in it is a .cpuprofile)
{"version":1,"recording":{"displayName":"x","startTime":4.1}}|a recording of Safari (speedscope opens it, and what it exports can be read here)
*version\n3\ndata-file-overflow=false\n|a method trace of Android (profiler.firefox.com opens it, and saves it processed)
jdk.ActiveSetting {\n  startTime = 11:07:35\n|what jfr printed (give the recording that jfr had read)
{\n  "recording": {\n    "events": [{\n|what jfr printed (give the recording that jfr had read)
<?xml version="1.0" encoding="UTF-8"?>\n<recording xmlns:xsi="x">\n|what jfr printed (give the recording that jfr had read)
<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0" label="x">\n|settings of Java Flight Recorder (give a recording that was made with them)
[0.046s][info][gc] Using G1\n|a log of a JVM (-XX:StartFlightRecording makes a recording, which can be read here)
<!DOCTYPE html>\n<html>\n<script>\n\t// Copyright The async-profiler authors\n|a picture of async-profiler (with "-o jfr" or "-o collapsed" it writes what can be read here)
JAVA PROFILE 1.0.2\0\0\0\0\10|a heap dump of Java (VisualVM and Eclipse MAT open it; a recording of allocations can be read here)
\312\376\272\276\0\0\0\75\0\15|a class of Java (give a profile of it instead)
\312\376\272\276\0\0\0\2\1\0|a program (Mach-O) (give a profile of it instead)
SLOW\363\0 \0\304\221|a method trace of Android (profiler.firefox.com opens it, and saves it processed)
MOJ\1\1map\000400000-423000 /usr/bin/python3.8\000|a MOJO file of Austin ("mojo2austin" converts it)
\4\b{\6:\11mode|a dump of Ruby (if stackprof wrote it, "stackprof --json FILE" prints what stackprof2ndjson reads)
sample:\n  event_type: cpu-clock\n  time: 1516271\n|text of simpleperf ("simpleperf report-sample --protobuf --show-callchain" writes what can be read here)
gmon\1\0\0\0\0\0|a recording of gprof ("perf record -g" records what can be read here)
Flat profile:\n\nEach sample counts as 0.01 seconds.\n|what gprof printed ("perf record -g" records what can be read here)
-----------------\nI1 cache:         32768 B, 64 B, 8-way associative\n|what cg_annotate printed (give the file that cg_annotate had read)
-----------------\nCommand:            ./a\nMassif arguments:   (none)\n|what ms_print printed (give the file that ms_print had read)
-----------------\nProfile data file 'a' (creator: callgrind-3.19.0)\n|what callgrind_annotate printed (give the file that callgrind_annotate had read)
JOB "prog"\nDATE "Sun"\n|a heap profile of GHC ("hp2ps" draws it; +RTS -pj records what can be read here)
import time: self [us] \174 cumulative \174 imported package\n|import times of Python ("python3 -m cProfile -o OUT" writes what can be read here)
         8364 function calls (4 primitive calls) in 0.007 seconds\n|a table of Python's cProfile ("python3 -m cProfile -o OUT" writes what can be read here)
         8 function calls in 0.007 seconds\n|a table of Python's cProfile ("python3 -m cProfile -o OUT" writes what can be read here)
{\332\1a\351\1\0\0\0000|other marshal data of Python (what Profile.dump_stats and cProfile -o write can be read here)
\200\4\225+\0\0\0|a pickle of Python ("python3 -m cProfile -o OUT" writes what can be read here)
\247\r\r\n\0\0\0\0|a module that Python has compiled (give a profile of it instead)
magic: SIMPLEPERF\nversion: 1\n|text of simpleperf ("simpleperf report-sample --protobuf --show-callchain" writes what can be read here)
v8-version,6,0,287,53,0\n|a log of V8 ("node --cpu-prof" records what can be read here)
@ inst_retired.any [35705 samples]\n\n20.86%%  [7447]     f @ /boot/kernel\n|call graphs of pmcstat (speedscope opens it, and what it exports can be read here)
Nettrace\24\0\0\0!FastSerialization.1|a trace of .NET ("dotnet-trace convert --format Speedscope" converts it)
<?xml version="1.0"?>\n<svg version="1.1">\n|an SVG picture (give the profile that it shows)
<svg xmlns="http://www.w3.org/2000/svg">\n|an SVG picture (give the profile that it shows)
{\n  "a": {\n    "b": [1,\n 2]}}|JSON that begins "{ \"a\": { \"b\": [1, 2]}}"
END
    printf '[1,  "a  b%026d€😀z"]' 0 >x
    found_text "JSON that begins \"[1, \\\"a  b$(printf %026d 0)€\""
    # a function of any name is no sign of anything
    printf '%s' '{"shared":{"frames":[{"name":"costs"}]},"profiles":[{"type":"sampled","name":"x","unit":"none",' \
        '"startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}' >x
    speedscope2ndjson x | grep -q '"name":"costs"'
    printf '\317\372\355\376\7\0\0\1' >x
    found_text 'a program (Mach-O) (give a profile of it instead)'
    printf 'MZ\220\0\3\0\0\0' >x
    found_text 'a program (PE) (give a profile of it instead)'
    input_of rprof2ndjson >plain
    tar -cf x plain
    found_text 'a tar archive ("tar -xf" unpacks it)'
}

@test "a recording of Instruments is a folder" {
    mkdir -p run.trace plain
    for name in run.trace run.trace/; do
        try profcat "$name"
        says 1 "profcat: $name: expected a profile, found a recording of Instruments (\"xctrace export --xpath\" writes XML, which xctrace2ndjson reads)"
    done
    input_of rprof2ndjson >plain/x.trace
    profcat plain/x.trace | profvalidate
    # one among others
    try profcat -k plain/x.trace run.trace
    grep -q '^profcat: run.trace: expected a profile, found a recording of Instruments ' stderr
    [ $status -eq 1 ]
    profvalidate stdout
}

# As the real programs write it.
packed_by() {  # program
    need "$1"
    input_of rprof2ndjson | "$1" -c >x
    found "$1 data (\"$1 -d\" decompresses it)"
}

@test "what zstd has packed" { packed_by zstd; }
@test "what xz has packed" { packed_by xz; }
@test "what bzip2 has packed" { packed_by bzip2; }
@test "what lz4 has packed" { packed_by lz4; }

@test "what other profilers write" {
    printf 'PERFILE2h\0\0\0\0\0\0\0' >x
    PROFPIPE_PERF=no found 'a perf.data file ("perf script" prints what perf2ndjson reads)'
    { printf 'PERFILE2h' && head -c 79 /dev/zero && printf '\23' && head -c 15 /dev/zero; } >x
    found 'a recording of simpleperf ("simpleperf report-sample --protobuf --show-callchain" writes what can be read here)'
    printf 'go 1.22 trace\0\0\0\1\2\3' >x
    found 'an execution trace of Go ("go tool trace -pprof=TYPE FILE" makes a pprof file of it)'
}

@test "what Go itself writes" {
    need go
    cat >main.go <<'END'
package main

import (
	"os"
	"runtime/trace"
)

func main() {
	f, _ := os.Create("trace")
	trace.Start(f)
	trace.Stop()
	f.Close()
}
END
    HOME=$T GOFLAGS=-mod=mod go run main.go
    cp trace x
    found 'an execution trace of Go ("go tool trace -pprof=TYPE FILE" makes a pprof file of it)'
}

@test "programs, web pages, and text in another encoding" {
    takes_long
    cp "$(command -v profcat)" x
    found 'a program (ELF) (give a profile of it instead)'
    printf '<!DOCTYPE html>\n<title>502</title>\n' >x
    found 'text that begins "<!DOCTYPE html>" (a web page, perhaps of an error or a login)'
    printf '\n  <HTML lang="en">\n' >x
    found 'text that begins "<HTML lang=\"en\">" (a web page, perhaps of an error or a login)'
    { printf '\357\273\277'; input_of profcat; } >x
    found_text 'UTF-8 with a byte order mark ("tail -c +4" takes that off)'
    # and that advice is good
    tail -c +4 x | profcat >y
    input_of profcat | same - y
    input_of profcat | iconv -f UTF-8 -t UTF-16 >x
    found 'UTF-16 ("iconv -f UTF-16 -t UTF-8" converts it)'
    iconv -f UTF-16 -t UTF-8 x | profcat | same - y
}

@test "text and bytes that nothing is known of are shown" {
    printf 'hello, "world"\r\nmore\n' >x
    found_text 'text that begins "hello, \"world\""'
    printf '\n\n  far down, and much longer than what is shown of it\n' >x
    found_text 'text that begins "far down, and much longer than what is s"'
    # not inside a character
    printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaä\n' >x
    found_text 'text that begins "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaä"'
    printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaä\n' >x
    found_text 'text that begins "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'
    printf '[1, 2]\n' >x
    found_text 'JSON that begins "[1, 2]"'
    printf '\1\2\377\376\0\0\0\0\0\0' >x
    for tool in rprof2ndjson rprofmem2ndjson profcat; do
        try $tool x
        says 1 "$tool: x: expected $(wanted_by $tool), found bytes that begin 01 02 ff fe 00 00 00 00"
    done
    # an object may be a row; other readers know better
    printf '{"nodes":[]}\n' >x
    for tool in rprof2ndjson rprofmem2ndjson pprof2ndjson; do
        try $tool x
        says 1 "$tool: x: expected $(wanted_by $tool), found JSON that begins \"{\\\"nodes\\\":[]}\""
    done
    try profcat x
    says 1 'profcat: x:1: expected a member "table", found none'
}

@test "blank lines in front of rows are no message, and in a message they are none" {
    { printf '\n \r\n'; input_of profcat; } >x
    profcat x | same - <(input_of profcat)
    try rprof2ndjson x
    says 1 'rprof2ndjson: x: expected an Rprof file, found profile rows'
    # a field that is cut off is too little to be sure of
    printf '\n{\1' >x
    for tool in pprof2ndjson profcat profsort ndjson2pprof; do
        try $tool x
        says 1 "$tool: x: offset 0: field 1 is cut off: expected more bytes, found the end"
    done
}

@test "an empty file" {
    : >x
    try pprof2ndjson x
    says 1 'pprof2ndjson: x: expected a pprof file, found an empty file'
}

@test "a file of another format on one line is not a long line" {
    { printf '{"nodes":['; head -c 17000000 /dev/zero | tr '\0' 7; echo ']}'; } >x
    start='{\"nodes\":[777777777777777777777777777777'
    # who is asked for JSON reads on
    READERS=$(grep -vxE 'speedscope2ndjson|perun2ndjson' <<<"$READERS") found "JSON that begins \"$start\""
    try speedscope2ndjson x
    says 1 'speedscope2ndjson: x:1: column 11: the token is longer than 16 MiB'
    { printf 'main;f;g 12 '; head -c 17000000 /dev/zero | tr '\0' 7; } >x
    found 'text that begins "main;f;g 12 7777777777777777777777777777"'
    { printf '<!DOCTYPE html>'; head -c 17000000 /dev/zero | tr '\0' 7; } >x
    found 'text that begins "<!DOCTYPE html>7777777777777777777777777" (a web page, perhaps of an error or a login)'
}
