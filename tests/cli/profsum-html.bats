#!/usr/bin/env bats
# --format=html: tables as pages that ask nothing of any network.
load helpers

# What an independent parser finds in the page FILE: cells by line, with tabs between, and for those that show less
# than they are sorted by that, behind "=".
cells_of() {  # file
    python3 - "$1" <<'END'
import html.parser, sys

class Cells(html.parser.HTMLParser):
    text = None
    def handle_starttag(self, tag, attributes):
        assert 'style' not in dict(attributes), 'the policy forbids style attributes'
        if tag == 'tr':
            self.row = []
        if tag in ('th', 'td'):
            self.text = ''
            self.value = dict(attributes).get('data-value')
    def handle_data(self, data):
        if self.text is not None:
            self.text += data
    def handle_endtag(self, tag):
        if tag in ('th', 'td'):
            self.row.append(self.text + ('=' + self.value if self.value else ''))
            self.text = None
        if tag == 'tr':
            print('\t'.join(self.row))

with open(sys.argv[1], encoding='utf-8') as page:
    cells = Cells()
    cells.feed(page.read())
    cells.close()
END
}

@test "the cells of a page are those of the table for programs" {
    need python3
    for options in '' '--sort=total -n 5' --calls --nodes --by=file; do
        profsum -q $options --format=html "$SAMPLES/plain.out" >page
        # values and shares with all their digits, and names, behind a bar
        cells_of page | sed 1d |
            awk -F '\t' '{ gsub(/[^\t=]+=/, ""); print $NF "\t" $1 "\t" $2 "\t" $3 "\t" $4 }' >found
        case $options in
            --calls)  columns='caller callee self self_pct total total_pct' ;;
            --nodes)  columns='function self self_pct total total_pct_totals' ;;
            --by=*)   columns="${options#--by=} self self_pct total total_pct" ;;
            *)        columns='function self self_pct total total_pct' ;;
        esac
        profsum -q $options --format=tsv "$SAMPLES/plain.out" | column $columns >expected
        [ "$options" != --calls ] || sed -i 's/\t/ -> /' expected
        [ -s expected ]
        diff expected found
    done
}

@test "a page is sound HTML" {
    need xmllint
    for view in '' --hot-paths --samples --profile --list=.; do
        profsum -q $view --format=html --max-depth=3 "$SAMPLES/plain.out" >page 2>/dev/null ||
            profsum -q $view --format=html "$SAMPLES/plain.out" >page
        # the parser knows HTML 4, whose pages had no pictures inside, nothing to open and no landmarks
        xmllint --html --noout page 2>&1 | grep error | grep -vE 'Tag (svg|rect|details|summary|main) invalid' >errors || true
        [ ! -s errors ] || fail "$(cat errors)"
    done
}

@test "bars of changes begin in the middle" {
    printf 'm;%s\n' 'a 10' 'b 30' 'c 10' >base
    printf 'm;%s\n' 'a 20' 'b 20' 'c 10' >new
    for measure in share cost; do
        profdiff -q --measure=$measure --format=html base new | grep -o '<rect[^>]*>' >bars
        printf '<rect x="%s" y="0" width="%s" height="10" class="%s"/>\n' 50 50 more 0 50 less 50 0 more | same - bars || fail "$(cat bars)"
    done
}

@test "the policy of a page lets in its own style and script and nothing else" {
    need python3
    profsum -q --format=html "$SAMPLES/plain.out" >page
    python3 - page <<'END'
import base64, hashlib, re, sys
page = open(sys.argv[1], 'rb').read()
policy = re.search(rb'Content-Security-Policy" content="([^"]*)"', page).group(1).decode()
directives = dict(d.strip().split(' ', 1) for d in policy.split(';'))
assert directives.pop('default-src') == "'none'"
assert directives.pop('base-uri') == "'none'" and directives.pop('form-action') == "'none'"
for directive, tag in ('style-src', b'style'), ('script-src', b'script'):
    texts = re.findall(rb'<%s>(.*?)</%s>' % (tag, tag), page, re.S)
    assert len(texts) == 1
    hashes = ["'sha256-%s'" % base64.b64encode(hashlib.sha256(t).digest()).decode() for t in texts]
    assert directives.pop(directive).split() == hashes, tag
assert not directives
assert b'http' not in re.sub(rb'http-equiv', b'', page), 'nothing is asked of the network'
END
}

@test "a table of nothing is a page" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' >empty
    profsum --format=html empty >page
    grep -q '<h1>no values</h1>' page
    grep -qx '</html>' page
}

still() {  # check page [argument ...]
    python3 "$ROOT/tests/browser/still.py" "$@"
}

@test "in Chromium rows are sorted by clicks and keys, and what is nothing is last" {
    need python3 chromium
    profsum -q --format=html "$SAMPLES/plain.out" >page.html
    still sort page.html 'total (ms)'
    profdiff -q --format=html "$SAMPLES/plain.out" "$SAMPLES/memory.out" >page.html
    still sort page.html 'new (ms)'
    still empty page.html 'growth %'
}

@test "in Chromium rows are sorted apart from the page" {
    need python3 chromium
    profsum -q --format=html "$SAMPLES/plain.out" >page.html
    still apart page.html
}

@test "axe-core finds nothing that bars people from a page" {
    need python3 chromium
    need_axe
    profsum -q --format=html "$SAMPLES/plain.out" >sum.html
    profsum -q --calls --format=html "$SAMPLES/plain.out" >calls.html
    profdiff -q --format=html "$SAMPLES/plain.out" -- "$SAMPLES/lines.out" >diff.html
    profplot -q --format=html "$SAMPLES/memory.out" >plot.html
    profgraph -q --format=html "$SAMPLES/plain.out" >graph.html
    for page in *.html; do still access "$page" "$AXE"; done
}

@test "in Chromium pages look right in the light, in the dark, on paper and on a narrow screen" {
    need python3 chromium
    profsum -q --format=html "$SAMPLES/plain.out" >page.html
    still looks page.html
    profdiff -q --format=html "$SAMPLES/plain.out" -- "$SAMPLES/lines.out" >page.html
    still looks page.html
    profplot -q --format=html "$SAMPLES/memory.out" >page.html
    still looks page.html
}

@test "in Chromium hostile names do nothing" {
    need python3 chromium
    cp "$ROOT/tests/cases/profsum/html/input" rows
    profsum --format=html rows >page.html
    still hostile page.html '</td></table><script>alert(1)</script>'
    profplot --format=html rows >page.html
    still hostile page.html '</td></table><script>alert(1)</script>'
}
