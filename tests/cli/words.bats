# How long sentences are: what people read has one idea in a sentence.

setup_file() {
    bats_require_minimum_version 1.5.0
    export ROOT="$BATS_TEST_DIRNAME/../.."
    export PAGES="${PROFPIPE_MAN:-$ROOT/build/man}"
    # Meson says which tools to test; by hand it is those of build/.
    [ -n "${PROFPIPE_MAN-}" ] || export PATH=$ROOT/build/bin:$PATH
    export LC_ALL=C.UTF-8
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# Prints the sentences of over 30 words in what it reads, Markdown.
long_sentences() {
    awk -v most=30 -f "$ROOT/tests/cli/sentences.awk"
}

# Prints a page as Markdown, without what is no prose: examples, tables, and lists of names.
prose() {  # page
    sed -E -e '/^\.Bd -literal/,/^\.Ed/c.Pp' -e '/^\.Bl -column/,/^\.El/c.Pp' -e '/^\.D[l1] /c.Pp' \
        -e '/^\.Sh (SYNOPSIS|SEE ALSO)/,/^\.Sh/{/^\.Sh (SYNOPSIS|SEE ALSO)/!{/^\.Sh/!d}}' "$1" >page.mdoc
    mkdir -p prose
    "$ROOT/man/markdown" prose page.mdoc
    cat prose/page.mdoc.md
}

@test "a sentence of 31 words is seen, and one of 30 is not" {
    thirty=$(printf 'word %.0s' {1..29})word
    long_sentences <<<"It is short. $thirty. $thirty more." >long
    [ "$(cat long)" = "31: $thirty more." ]
    # Names in a list are one word; code and tables are none.
    printf '%s' "$thirty" | sed 's/word$/`a`, **b** or *c*./' | long_sentences >long
    printf '```\n%s more\n```\n| %s more |\n' "$thirty" "$thirty" | long_sentences >>long
    [ ! -s long ]
}

# Prints the long sentences of pages, with the page in front.
long_in_pages() {  # page ...
    for page; do
        prose "$page" | long_sentences | sed "s,^,${page##*/}: ,"
    done
}

@test "no sentence of a page has over 30 words" {
    long_in_pages "$PAGES"/*.[157] >long
    [ ! -s long ] || { cat long; return 1; }
}

@test "no sentence of README.md and CONTRIBUTING.md has over 30 words" {
    for file in README.md .github/CONTRIBUTING.md; do
        long_sentences <"$ROOT/$file" | sed "s,^,$file: ,"
    done >long
    [ ! -s long ] || { cat long; return 1; }
}

@test "no sentence of --help has over 30 words" {
    for tool in $(cat "$ROOT/bin/tools"); do
        # Each line that is not the rest of an option's text begins a paragraph.
        "$tool" --help >help
        awk 'substr($0, 1, 20) ~ /[^ ]/ { print "" } { sub(/^ +/, ""); print }' help | long_sentences | sed "s,^,$tool --help: ,"
    done >long
    [ ! -s long ] || { cat long; return 1; }
}
