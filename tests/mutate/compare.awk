# compare.awk - what profvalidate found in mutants, against what the judges say
# of them. Prints TAP: a test for each rule, and one for all that break none.
#
#   awk -v rules='json table ...' -v mode=stream|any-order -f compare.awk
#       MADE VERDICTS FOUND
#
# MADE is what mutate prints, the others are lines of FILE RULE. What follows
# from another mistake is not asked for:
#   - of a profile with no known version, what its rows should be;
#   - where a row cannot be read in part or as a whole, that its sample has a
#     gap now, and what refers to it or is like it;
#   - in stream order, where rows are out of order, that one comes twice or is
#     missing in its sample: profvalidate holds one sample at a time. Under
#     --any-order that is asked for;
#   - what is inlined into what, where it is not certain which location that is.
function is(file, rule) { return (file SUBSEP rule) in verdict }

function asked(file, rule) {
    if (is(file, "version"))
        return rule == "version"
    if (rule == "order" && mode == "any-order")
        return 0
    partly = is(file, "column") || is(file, "type") || is(file, "range") || is(file, "name")
    if (rule == "depth" && (partly || is(file, "json") || is(file, "table")))
        return 0
    if ((rule == "reference" || rule == "unique") && partly)
        return 0
    if ((rule == "depth" || rule == "unique") && mode == "stream" && is(file, "order"))
        return 0
    if (rule == "inlined" && (partly || is(file, "json") || is(file, "table") || is(file, "depth") ||
            is(file, "unique") || is(file, "reference") || (mode == "stream" && is(file, "order"))))
        return 0
    return 1
}

# A dump of tables has no ends.
function is_judged(file) {
    return mode == "stream" || !(is(file, "version") || is(file, "end"))
}

function result(good, text) {
    print (good ? "ok" : "not ok") " - " mode ": " text
}

function name_wrong(file) {
    if (++wrong <= 10)
        why = why "\n# " file " (" made[file] "): found" findings[file]
}

FILENAME == ARGV[1] { sub(/.*\//, "", $2); made[$1] = $2 " " $3; next }
FILENAME == ARGV[2] { verdict[$1, $2]; next }
                    { found[$1, $2]; findings[$1] = findings[$1] " " $2 }

END {
    count = split(rules, rule, " ")
    for (i = 1; i <= count; i++) {
        number = wrong = 0
        why = ""
        for (file in made) {
            if (!is_judged(file) || !is(file, rule[i]) || !asked(file, rule[i]))
                continue
            number++
            if (!((file, rule[i]) in found))
                name_wrong(file)
        }
        if (number > 0 || mode == "stream")
            result(number > 0 && wrong == 0, rule[i] " in " number " mutants, missed in " wrong why)
    }
    number = wrong = 0
    why = ""
    for (file in made) {
        breaks = 0
        for (i = 1; i <= count; i++)
            breaks = breaks || (is(file, rule[i]) && (mode == "stream" || rule[i] != "order"))
        if (!is_judged(file) || breaks)
            continue
        number++
        if (file in findings)
            name_wrong(file)
    }
    result(number > 0 && wrong == 0, "nothing in " number " mutants, found in " wrong why)
}
