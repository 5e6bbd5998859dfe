# The pages for users of other programs name all that these have.

load helpers

# Prints the names that stand as tags in a page: "Fl top , text" is two.
tags_of() {  # page
    sed -n 's/^\.It Fl //p' "$ROOT/man/$1" | sed 's/ , /\n/g' | sort
}

@test "profpipe-pprof(7) has every option of go tool pprof, once, and no other" {
    need go
    go tool pprof -help 2>&1 | sed -nE 's/^ +-([a-z_]+).*/\1/p' >options
    [ "$(wc -l <options)" -ge 80 ]
    sort -u options | diff - <(tags_of profpipe-pprof.7)
}

@test "profpipe-pprof(7) has every command of pprof's shell" {
    need go
    printf 'help\n' | go tool pprof "$ROOT/samples/pprof/go-cpu.pb.gz" 2>&1 |
        sed -nE '/type "help/d; s/^(\(pprof\))? {2,4}([a-z_/^DQ]+) .*/\2/p' | grep -vx 'o/options\|q/quit/exit/^D' | sort -u >commands
    [ "$(wc -l <commands)" -ge 50 ]
    # granularity and sort name groups of options
    comm -23 commands <(tags_of profpipe-pprof.7) | diff - <(printf 'granularity\nsort\n')
}

@test "profpipe-perf(7) has every option of perf's reports and scripts, once, and no other" {
    need perf
    case $(perf --version) in *' 6.1.'*) ;; *) skip "the page is about perf of Linux 6.1" ;; esac
    for command in report diff annotate script; do perf $command -h 2>&1 || true; done |
        sed -nE 's/^ +(-[a-zA-Z], )?--([a-z-]+).*/-\2/p' | sort -u >options
    [ "$(wc -l <options)" -ge 120 ]
    diff options <(tags_of profpipe-perf.7)
}

@test "the pages say of every option what does the same, or that nothing does" {
    for page in pprof perf; do
        grep -q '^\.It Fl ' "$ROOT/man/profpipe-$page.7"
        awk '
            function check() { if (tag != "" && !said) { print "nothing is said of " tag; bad = 1 } }
            /^\.It / { check(); tag = $0; said = 0; next }
            /^\.El/ { check(); tag = ""; next }
            $0 !~ /^\.(Bd|Ed|Pp)/ { said = 1 }
            END { exit bad }' "$ROOT/man/profpipe-$page.7" || fail "$page"
    done
}

@test "profpipe-R(7) has every argument and result of summaryRprof, and all that profvis offers" {
    need_r profvis
    Rscript --vanilla -e '
        x <- summaryRprof(commandArgs(TRUE), lines = "both")
        writeLines(c(names(formals(summaryRprof)), names(x), names(formals(profvis::profvis)),
                     getNamespaceExports("profvis")))' "$SAMPLES/lines.out" | sort -u >names
    [ "$(wc -l <names)" -ge 25 ]
    sed -n '/^\.Sh SUMMARYRPROF/,/^\.Sh PROFTOOLS/s/^\.It Li //p' "$ROOT/man/profpipe-R.7" | grep -oE '[A-Za-z_.]+' | sort -u >tags
    comm -23 names tags | diff - /dev/null
}
