# verdicts.awk - what SQLite's messages say about which rule: FILE RULE.
# Reads the script that it ran, then what it wrote.
NR == FNR { file[FNR] = $NF; next }
/near line [0-9]+: / {
    line = $0
    sub(/.*near line /, "", line)
    number = line + 0
    if (line ~ /no such table/) rule = "table"
    else if (line ~ /has no column named/) rule = "column"
    else if (line ~ /NOT NULL constraint failed/) rule = "type"  # of a key
    else if (line ~ /UNIQUE constraint failed/) rule = "unique"
    else if (line ~ /CHECK constraint failed: /) {
        rule = line
        sub(/.*CHECK constraint failed: /, "", rule)
        sub(/ .*/, "", rule)
    } else rule = "?" line
    print file[number], rule
}
