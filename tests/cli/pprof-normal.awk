# The normal form of a pprof file, to tell whether two files say the same:
#
#   protoc --decode=pprof.Profile … >text; awk -f pprof-normal.awk text text
#
# Strings stand for their indexes, and ids count by place. What a reader cannot
# tell from its absence is left out: an index of an empty string, and a reference
# to a mapping that is not there.
BEGIN {
    n = split("name system_name filename build_id type unit key str num_unit" \
        " drop_frames keep_frames comment default_sample_type doc_url", names, " ")
    for (i = 1; i <= n; i++) is_string[names[i] ":"] = 1
    table["location_id:"] = "location"
    table["function_id:"] = "function"
    table["mapping_id:"] = "mapping"
}

# First: the table of strings, and where each id stands.
FNR == NR && /^string_table: / { string[strings++] = substr($0, 15) }
FNR == NR && /^[a-z_]+ {$/ { kind = $1; count[kind]++ }
FNR == NR && /^  id: / { place[kind, $2] = count[kind] }
FNR == NR || /^string_table: / || /^  id: / { next }

$1 in is_string {
    if (string[$2] != "\"\"" || $1 == "str:" || $1 == "comment:") print $1, string[$2]
    next
}
$1 in table {
    if ((table[$1], $2) in place) print $1, place[table[$1], $2]
    next
}
{ print }
