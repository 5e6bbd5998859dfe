#!/usr/bin/env bats
# The R package of samples/R: it installs, and its own tests and examples pass.
load helpers

setup_file() {
    export R_LIBS=$BATS_FILE_TMPDIR/library PROFPIPE_SAMPLES=$ROOT/samples
    mkdir "$R_LIBS"
    # where a package is missing, each test says so
    ! command -v R >/dev/null ||
        R CMD INSTALL --no-docs -l "$R_LIBS" "$ROOT/samples/R" >"$BATS_FILE_TMPDIR/installed" 2>&1 || true
}

# Runs the files of the package's tests whose names match.
passes() {  # expression
    takes_long
    need_r RSQLite testthat
    [ -d "$R_LIBS/profpipe" ] || fail "the package was not installed" "$(cat "$BATS_FILE_TMPDIR/installed")"
    cp -R "$ROOT/samples/R/tests/testthat" .
    Rscript --vanilla -e 'a <- commandArgs(TRUE)' -e 'library(testthat)' -e 'library(profpipe)' \
        -e 'test_dir("testthat", filter = a[1], package = "profpipe", load_package = "installed", reporter = "check")' \
        "$1" >output 2>&1 || fail "$(cat output)"
    grep -qE 'FAIL 0 .* PASS [1-9]' output || fail "$(cat output)"
}

@test "tools are found and run from R" { passes '^tools$'; }

@test "rows of all samples come back from R" { passes '^read$'; }

@test "an R object of a profile is cut, combined, changed and written" { passes '^object$'; }

@test "summary() in R is summaryRprof()'s" { passes '^summary$'; }

# Debian has no proftools: where it is not, the tests say that they are skipped.
@test "tables in R have the times of proftools" {
    takes_long
    need_r RSQLite testthat proftools
    passes '^proftools$'
}

@test "R has tables, filters and rules" { passes '^tables$'; }

@test "prof() and prof_diff() record R code" { passes '^prof$'; }

@test "R shows pictures" { passes '^pictures$'; }

@test "R's package profile has the same interface" { passes '^profile-'; }

@test "examples of the R package's pages run" {
    need_r RSQLite
    for page in "$ROOT"/samples/R/man/*.Rd; do
        Rscript --vanilla -e 'a <- commandArgs(TRUE)' -e 'tools::Rd2ex(a[1], a[2])' "$page" code.R
        [ -e code.R ] || continue
        Rscript --vanilla -e 'library(profpipe)' -e 'source("code.R", echo = TRUE)' >output 2>&1 ||
            fail "$page" "$(cat output)"
        rm code.R
    done
}
