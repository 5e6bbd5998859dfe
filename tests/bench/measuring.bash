# Functions of the benchmarks in bash. These set $missed to 0 first; each measurement sets $seconds and $kib.
# shellcheck shell=bash

# took RUNS COMMAND…: sets $seconds and $kib. Nothing that was written before is still on its way to
# the disk then. What the command says on standard error comes before what measure says.
took() {
    local result
    sync
    result=$( { measure "$@" >/dev/null; } 2>&1 | tail -n 1 )
    read -r seconds kib <<<"$result"
}

# A pipeline or redirection, as text for sh.
took_sh() { took "$1" sh -c "$2"; }

rate() { awk -v b="$1" -v s="$2" 'BEGIN { printf "%.0f", b / s / 1e6 }'; }

# row NAME BYTES SECONDS: a line of the table.
row() { printf '  %-44s %8.3f s %7s MB/s\n' "$1" "$3" "$(rate "$2" "$3")"; }

# holds WHAT MEASURED RELATION TARGET UNIT
holds() {
    local verdict
    verdict=$(awk -v m="$2" -v t="$4" -v r="$3" \
        'BEGIN { print (r == ">=" ? m >= t : m <= t) ? "holds" : "MISSED" }')
    printf '  %-52s %8s %-6s (%s %s) %s\n' "$1" "$2" "$5" "$3" "$4" "$verdict"
    [ "$verdict" = holds ] || missed=$((missed + 1))
}

has() { command -v "$1" >/dev/null; }

# jq_rows ROWS BYTES SECONDS: how many times as fast as jq reads and writes rows a tool was that took SECONDS for BYTES
# of such rows as the file ROWS has. jq gets the first 25 MB of that.
jq_rows() {
    local part
    head -c 25000000 "$1" | head -n -1 >part.ndjson
    part=$(wc -c <part.ndjson)
    took 1 jq -c . part.ndjson
    rm part.ndjson
    awk -v b="$2" -v s="$3" -v p="$part" -v q="$seconds" 'BEGIN { printf "%.1f", (b / s) / (p / q) }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
