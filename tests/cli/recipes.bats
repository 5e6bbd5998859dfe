# The recipes of profpipe-ci(7): what stands there to be copied does what it says.

load helpers

# Prints the display of the page that TEXT is in.
recipe() {  # text
    awk -v text="$1" '
        /^\.Bd / { inside = 1; block = ""; next }
        /^\.Ed$/ { if (index(block, text)) printf "%s", block; inside = 0; next }
        inside { block = block $0 "\n" }' "$ROOT/man/profpipe-ci.7" |
        sed "s/\\\\(aq/'/g; s/\\\\e/\\\\/g"
}

# The rows that are marked in what profdiff has printed.
marked() {
    awk '/\*/ && !/^self|^total/ { print $NF }' "$1"
}

@test "runs of a benchmark in Go, compared" {
    need go
    mkdir base new
    cat >base/words_test.go <<'GO'
package words

import (
	"strings"
	"testing"
)

//go:noinline
func count(words []string) map[string]int {
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	return counts
}

func BenchmarkCount(b *testing.B) {
	words := strings.Fields(strings.Repeat("the quick brown fox jumps over the lazy dog ", 200))
	for i := 0; i < b.N; i++ {
		count(words)
	}
}
GO
    sed 's/counts\[w\]/counts[strings.Repeat(w, 9)]/' base/words_test.go >new/words_test.go
    for side in base new; do (cd $side && go mod init words 2>/dev/null); done
    recipe 'go test' | sed 's/15000x/1500x/' >recipe
    sh -e recipe >stdout
    # each run costs several times as much
    grep -qE '^cost of a run: .*, [+][0-9.]+ %$' stdout
    grep -qE '^that is .* p <?0[.]0' stdout
    grep -qE '^and [0-9]+ more rows$' stdout
}

@test "runs of a script in R, compared" {
    need Rscript
    mkdir base new
    cat >base/report.R <<'R'
words <- function(n) sample(letters, n, TRUE)
count <- function(x) table(x)
for (i in 1:4) count(words(2e5))
R
    sed 's/^count.*/spell <- function(x) toupper(tolower(x))\ncount <- function(x) table(spell(spell(x)))/' base/report.R >new/report.R
    recipe Rscript >recipe
    [ "$(grep -c . recipe)" -ge 5 ]
    sh -e recipe >stdout
    marked stdout | grep -qx 'spell\|toupper\|tolower'
}

# A program called bench in FOLDER, whose runs cost about COST.
make_bench() {  # folder, cost
    mkdir -p "$1"
    cat >"$1/bench" <<E
#!/bin/sh
number=\${1%.pb.gz}
number=\${number#*-}
printf 'main;work %d\nmain 1000\n' \$(($2 + number % 3)) | ndjson2pprof -q >"\$1"
E
    chmod +x "$1/bench"
    printf 'bench:\n' >"$1/Makefile"
}

@test "a gate" {
    need make
    make_bench base 1000
    make_bench new 1002
    recipe set\ -e >gate
    try sh gate
    [ $status -eq 0 ]
    make_bench new 1300
    try sh gate
    [ $status -eq 4 ]
    grep -q 'profdiff: --fail-if: "cost > 5 %": the cost of a run has grown by 1[45]' stderr
    # a change that costs less passes, though what it left alone has a larger share
    make_bench new 300
    try sh gate
    [ $status -eq 0 ]
    grep -qx 'cost of a run: 2001 in base, 1301 in new, -34.98 %' stdout || fail "$(cat stdout)"
    # a run that fails is no run
    printf '#!/bin/sh\nexit 1\n' >new/bench
    try sh gate
    [ $status -eq 1 ]
    run ! grep -q fail-if stderr
}

# Prints what the Nth step of the workflow runs.
step() {  # N
    recipe 'on: pull_request' | awk -v n="$1" '/^ *(- )?run: [|]$/ { count++; next } /^          / && count == n'
}

# What GitHub has in a job: gh, for a release whose tarball has links to the tools that are tested.
release_of_links() {
    local name=profpipe-1.2.3-x86_64-linux tool
    mkdir -p "$T/releases" "$T/pack/$name/bin" "$T/temp"
    for tool in $EVERY_TOOL; do ln -s "$(command -v "$tool")" "$T/pack/$name/bin/$tool"; done
    tar -czf "$T/releases/tarball" -C "$T/pack" "$name"
    cat >"$T/releases/gh" <<END
#!/bin/sh
[ "\$*" = 'release download -R OWNER/profpipe -p *-linux.tar.gz -O -' ] && cat '$T/releases/tarball'
END
    chmod +x "$T/releases/gh"
    export RUNNER_TEMP=$T/temp GITHUB_PATH=$T/path
}

@test "a gate in a CI" {
    need git
    need make
    git init -q -b main origin
    (
        cd origin
        git config user.email a@example.org
        git config user.name a
        make_bench . 1000
        recipe set\ -e >gate
        git add . && git commit -qm base
        git checkout -qb change
        make_bench other 1300
        mv other/bench . && rm -r other
        git commit -qam change
    )
    git clone -q --branch change origin clone
    cd clone
    export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$PWD/summary
    release_of_links
    PATH=$T/releases:$PATH sh -ec "$(step 1)"
    PATH=$(cat "$GITHUB_PATH"):$PATH
    [ "$(command -v profdiff)" = "$RUNNER_TEMP/bin/profdiff" ]
    try sh -ec "$(step 2)"
    [ $status -eq 4 ]
    grep -q 'cost > 5 %' "$T/stderr"
    sh -ec "$(step 3)"
    grep -q '^| .* | `work` |$' summary
}
