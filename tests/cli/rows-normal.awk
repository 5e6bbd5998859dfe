# Prints each sample of canonical rows on a line of its own, with what its ids stand for in their place:
#
#   awk [-v no_values=1] -f rows-normal.awk ROWS | sort
#
# Equal profiles give equal lines, in whatever order their rows are. Values may be left out.
function rest(line) { sub(/^[{]"table":"[^"]*","[a-z]*_id":[0-9]+,?/, "", line); return line }
function id(line, column) {
    if (!match(line, "\"" column "\":[0-9]+")) return 0
    line = substr(line, RSTART, RLENGTH)
    sub(/.*:/, "", line)
    return line
}
function without(line, column) { sub("\"" column "\":[0-9]+", "", line); return line }
function end() { if (sample != "") print sample values stack; sample = values = stack = "" }
/^[{]"table":"sources"/ { source[id($0, "source_id")] = rest($0) }
/^[{]"table":".mappings"/ { mapping[id($0, "mapping_id")] = rest($0) }
/^[{]"table":"functions"/ { name[id($0, "function_id")] = rest($0) }
/^[{]"table":"locations"/ {
    line = without(without(without($0, "function_id"), ".mapping_id"), ".inlined_into")
    place[id($0, "location_id")] = rest(line) "<" name[id($0, "function_id")] "<" mapping[id($0, ".mapping_id")] \
        "<" place[id($0, ".inlined_into")]
}
/^[{]"table":"samples"/ {
    end()
    sample = "sample of " source[id($0, "source_id")] rest($0)
}
/^[{]"table":"sample_values"/ { if (!no_values) values = values " | " rest($0) }
/^[{]"table":"sample_locations"/ { stack = stack " / " place[id($0, "location_id")] }
END { end() }
