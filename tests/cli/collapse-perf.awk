# Prints what stackcollapse-perf.pl makes of perf's text, from the rows of it: the stacks of the first event by
# thread, with its changes of names.

function number(name, at) {
    at = index($0, "\"" name "\":")
    return at ? substr($0, at + length(name) + 3) + 0 : 0
}

# The string that is called NAME in TEXT, without quotes inside.
function text_in(text, name, at) {
    at = index(text, "\"" name "\":\"")
    if (!at) return ""
    text = substr(text, at + length(name) + 4)
    gsub(/\\\\/, "\001", text)
    gsub(/\\"/, "", text)
    text = substr(text, 1, index(text, "\"") - 1)
    gsub(/\001/, "\\", text)
    return text
}

function thread(at) {
    at = text_in(substr($0, index($0, "\"comm\"")), "str")
    gsub(/ /, "_", at)
    return at
}

# A function without the parentheses of its arguments, and without those of templates in them.
function tidy(name, at, rest) {
    gsub(/;/, ":", name)
    if (name !~ /\.\(.*\)\./) {
        for (rest = 0; (at = index(substr(name, rest + 1), "(")) > 0; rest += at)
            if (substr(name, rest + at, 21) != "(anonymous namespace)") {
                name = substr(name, 1, rest + at - 1)
                break
            }
    }
    gsub(/["']/, "", name)
    return name
}

function file_name(path) {
    sub(/.*\//, "", path)
    return path ~ /^\[/ ? path : "[" (path == "" ? "unknown" : path) "]"
}

function end_sample() {
    if (stack != "") sums[comm (stack == "-" ? "" : stack)] += value
    stack = ""
}

/^{"table":"functions"/ { names[number("function_id")] = text_in($0, "name") }
/^{"table":".mappings"/ { files[number("mapping_id")] = text_in($0, "filename") }
/^{"table":"locations"/ {
    id = number("location_id"); name = names[number("function_id")]
    is_skipped[id] = name ~ /^\(/
    shown[id] = name == "" || name == "[unknown]" ? file_name(files[number(".mapping_id")]) : tidy(name)
}
/^{"table":"samples"/ { end_sample(); comm = thread(); value = 1; is_out = 0; stack = "-" }
/^{"table":"sample_values"/ && text_in($0, "type") != "samples" {
    if (event == "") event = text_in($0, "type")
    if (text_in($0, "type") != event) stack = ""
    value = number("value")
}
/^{"table":"sample_locations"/ {
    id = number("location_id")
    name = shown[id]
    if (comm ~ /^java/ && name ~ /\//) sub(/^L/, "", name)
    if (stack != "" && !is_skipped[id]) stack = ";" name (stack == "-" ? "" : stack)
}
END {
    end_sample()
    for (key in sums) print key, sums[key]
}
