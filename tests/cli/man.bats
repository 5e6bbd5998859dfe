# The man pages and README.md: that mandoc has nothing to say about them, and that every option is
# in its page. (Their examples: see `examples`, one test a page.)

setup_file() {
    bats_require_minimum_version 1.5.0
    export ROOT="$BATS_TEST_DIRNAME/../.."
    export TOOLS="$(cat "$ROOT/bin/tools")"
    export PAGES="${PROFPIPE_MAN:-$ROOT/build/man}"
    # Meson says which tools to test; by hand it is those of build/.
    [ -n "${PROFPIPE_MAN-}" ] || export PATH=$ROOT/build/bin:$PATH
    export LC_ALL=C.UTF-8
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    ln -s "$(realpath "$ROOT")/samples" samples
}

# Prints the text of a page: its examples stand in it as a user would type them.
page_text() {  # page
    mandoc -Tascii -Owidth=78 "$1" | sed 's/.\x08//g'
}

@test "mandoc has nothing to say about any page" {
    # It looks for what a page refers to among the pages that are installed;
    # the next test does so here.  Where nothing is to take long, one page of three is enough.
    local pages=("$PAGES"/*.[157]) each=1
    [ -z "${PROFPIPE_QUICK-}" ] || each=3
    for ((i = 0; i < ${#pages[@]}; i += each)); do printf '%s\0' "${pages[i]}"; done |
        xargs -0 mandoc -Tlint >lint 2>/dev/null || true
    run ! grep -v 'STYLE: referenced manual not found: Xr ' lint
    [ "$output" = "" ]
}

@test "what a page refers to is there" {
    sed -n 's/.*\.Xr \(prof[-a-zA-Z0-9]*\|[a-z0-9]*ndjson[a-z0-9]*\) \([157]\).*/\1.\2/p' "$PAGES"/*.[157] |
        sort -u >references
    # some page leads to each
    for page in "$PAGES"/*.[157]; do echo "${page##*/}"; done | diff - references
    while read -r page; do
        [ -s "$PAGES/$page" ] || { echo "no $page"; return 1; }
    done <references
    # Sections, after the page or within it.
    for page in "$PAGES"/*.[157]; do
        sed -n 's/^.*\.*Sx \([A-Z ]*[A-Z]\).*/\1/p' "$page" | while read -r section; do
            grep -qx -e "\.S[hs] $section" "$PAGES"/profstream.5 "$PAGES"/profpipe.7 "$page" ||
                { echo "no $section"; return 1; }
        done
    done
}

@test "there is a page for every tool, and every page of man/ is built" {
    (cd "$ROOT/man" && ls *.in *.[157]) | sed 's/\.in$//' | sort >named
    diff named <(cd "$PAGES" && ls *.[157] | sort)
    grep '\.1$' named | diff - <(printf '%s.1\n' $TOOLS profpipe | sort)
    run grep -n '@[A-Za-z]*@' "$PAGES"/*.[157]
    [ "$output" = "" ]
}

@test "every tool is wherever tools are listed" {
    page_text "$PAGES/profpipe.7" >overview
    for tool in $TOOLS; do
        sed -n '/^TOOLS/,/^COMMON OPTIONS/p' overview | grep -q "^ *$tool(1)" || { echo "profpipe(7), TOOLS: no $tool"; return 1; }
        sed -n '/^SEE ALSO/,$p' overview | grep -q "\b$tool(1)" || { echo "profpipe(7), SEE ALSO: no $tool"; return 1; }
        for page in profstream.5 profpipe.7; do
            page_text "$PAGES/$tool.1" | sed -n '/^SEE ALSO/,$p' | grep -q "\b${page%.*}(${page##*.})" ||
                { echo "$tool(1), SEE ALSO: no ${page%.*}"; return 1; }
        done
        # somebody leads to it
        [ "$(grep -l "^.Xr $tool 1" "$PAGES"/*.1 | grep -cvF "/$tool.1")" -ge 1 ] || { echo "no page refers to $tool"; return 1; }
    done
    ls "$ROOT"/bin/*.c | sed "s,.*/,,; s,\.c\$,," | grep -vx -e main -e profpipe | sort | diff - <(sort "$ROOT/bin/tools")
}

@test "the pages for a browser are those that are installed" {
    "$ROOT/man/markdown" md "$PAGES"/*.[157]
    diff -r md "$ROOT/man/md" || { echo "ninja -C build pages makes them again"; return 1; }
    # what mandoc could not show; where <?> itself is meant, it stands in quotes
    sed 's/`<?>`//g' md/* >shown
    run ! grep '<?>' shown
}

@test "what README.md links to is there" {
    grep -oE '\]\([^)]+\)' "$ROOT/README.md" "$ROOT/samples/README.md" "$ROOT/.github/CONTRIBUTING.md" | sed 's/:](/ /; s/)$//' >links
    [ "$(wc -l <links)" -ge 15 ]
    while read -r file link; do
        [ -e "${file%/*}/$link" ] || { echo "$file: no $link"; return 1; }
    done <links
}

@test "CONTRIBUTING.md names the rooms of the source in their order" {
    sed -n "s/^foreach room : \[\(.*\)\]/\1/p" "$ROOT/src/meson.build" | tr -d "'," | tr ' ' '\n' >rooms
    [ "$(wc -l <rooms)" -ge 12 ]
    sed -n '/^| room |/,/^$/s/^| `\([a-z]*\)` |.*/\1/p' "$ROOT/.github/CONTRIBUTING.md" | diff rooms -
}

@test "every option of a tool is in its page, and every option there is in --help" {
    for tool in $TOOLS; do
        page_text "$PAGES/$tool.1" >text
        "$tool" --help=tsv | cut -f 3 | sort >options
        [ "$(wc -l <options)" -ge 8 ]
        tr -s ' ' '\n' <text | sed -n 's/^\(-[A-Za-z0-9-]*\)\([=,.[].*\)\{0,1\}$/\1/p' | sort -u >described
        comm -23 <(sort -u options) described >lacking
        [ ! -s lacking ] || { echo "$tool.1 lacks $(head -n 1 lacking)"; return 1; }
        # The lists of its own options: lines that begin with one.
        "$tool" --help=tsv | sed -n 's/^own\t[^\t]*\t\([^\t]*\).*/\1/p' | sort >own
        sed -n '/^OPTIONS/,/^[A-Z]/p' text | grep -E '^ {5}-' |
            grep -oE -e '--[a-z-]+' | sort -u >listed
        comm -13 options listed | diff - /dev/null
        comm -23 own listed | diff - /dev/null
    done
}

@test "what --help refers to profpipe(7) for is described there" {
    for tool in $TOOLS; do
        "$tool" --help | sed -n '/explained in profpipe(7):$/,/^Exit status/p' | grep -oE -e '--[a-z-]+'
    done | sort -u >common
    [ "$(wc -l <common)" -ge 16 ]
    page_text "$PAGES/profpipe.7" | sed -n '/^COMMON OPTIONS/,/^[A-BD-Z]/p' |
        grep -oE -e '^ {5}(-. (FILE)?, |-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort >described
    comm -23 common <(sort -u described) | diff - /dev/null
    uniq -d described | diff - <(echo --help) # which prints completion, too
}

@test "a tool's page has examples second, then its own options, and says what is lost" {
    for tool in $TOOLS; do
        sed -n 's/^\.Sh //p' "$PAGES/$tool.1" >sections
        [ "$(head -n 5 sections | paste -sd ' ')" = "NAME SYNOPSIS DESCRIPTION EXAMPLES OPTIONS" ] ||
            { echo "$tool.1:"; cat sections; return 1; }
        grep -qx LOSSES sections || { echo "$tool.1: no LOSSES"; return 1; }
    done
}

@test "no page of a tool describes an option of many tools" {
    for tool in $TOOLS; do
        "$tool" --help | sed -n '/^Options of many tools/,/^Exit status/p'
    done | grep -oE -e '--[a-z-]+' | sort -u >common
    [ "$(wc -l <common)" -ge 10 ]
    grep -n '^\.It Fl' "$PAGES"/*.1 | sed 's/ Fl -/ --/g' >described
    [ "$(wc -l <described)" -ge 100 ]
    run ! grep -wFf common described
    [ "$output" = "" ]
}

@test "every row in profstream(5) is one" {
    page_text "$PAGES/profstream.5" | grep -oE '^ *\{"table":.*\}$' >rows
    [ "$(wc -l <rows)" -ge 10 ]
    sed -n '1,/"depth":2/p' rows >first
    [ "$(wc -l <first)" -eq 10 ]
    profcat -o out.ndjson first
    sed 's/,".ends":true//; /"table":".end"/d' out.ndjson | sed 's/^ *//' >back
    sed 's/^ *//' first | diff - back
}

@test "every dotted column that rows can have is in profstream(5)" {
    grep -rhoE 'MEMBER\([A-Z_]+, "\.[a-z_]+"' "$ROOT/src" | grep -oE '\.[a-z_]+' | sort -u >columns
    [ "$(wc -l <columns)" -ge 60 ]
    grep -oE '\.[a-z_]+' "$PAGES/profstream.5" | sort -u >described
    comm -23 columns described | diff - /dev/null
}
