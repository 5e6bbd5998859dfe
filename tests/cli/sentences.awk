# Prints the sentences of Markdown text that have more than `most` words, each with its number of
# words in front. Code, tables and headings are none; names that follow one another in a list count as
# one word.
#
#   awk -v most=30 -f sentences.awk FILE

function sentence(text,    words, n, i, count) {
    n = split(text, words, / +/)
    for (i = 1; i <= n; i++) count += words[i] ~ /[[:alnum:]]/
    if (count > most) print count ": " text
}

# What is set in another font or links to a page is a name.
function names_as_words(text,    list) {
    gsub(/\\/, "", text)
    gsub(/\[[^]]*\]\([^)]*\)/, "NAME", text)
    gsub(/'?`[^`]*`'?/, "NAME", text)
    gsub(/\*\*[^*]*\*\*/, "NAME", text)
    gsub(/\*[^*]*\*/, "NAME", text)
    gsub(/&nbsp;/, " ", text)
    gsub(/(NAME)+/, "NAME", text)
    list = "NAME(,? (and|or) |, |; )NAME"
    while (text ~ list) sub(list, "NAME", text)
    return text
}

function paragraph(    text) {
    text = names_as_words(pending)
    pending = ""
    while (match(text, /[.?!][")]*( |$)/)) {
        sentence(substr(text, 1, RSTART))
        text = substr(text, RSTART + RLENGTH)
    }
    sentence(text)
}

/^ *```/ { in_code = !in_code; next }
in_code { next }
{ sub(/^[> \t]+/, "") }
/^$|^#|^\|/ { paragraph(); next }
/^([*-]|[0-9]+\.)[ \t]/ { paragraph(); sub(/^[^ \t]+[ \t]+/, "") }
{ pending = pending (pending == "" ? "" : " ") $0 }
END { paragraph() }
