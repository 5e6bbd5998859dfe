#!/usr/bin/env bats
# The rooms of src/: what flows is seen in the listing, and nothing includes what stands behind it.
load helpers

setup() {
    cd "$BATS_TEST_DIRNAME/../../src" || return
    ROOMS=$(sed -n "s/^foreach room : \[\(.*\)\]/\1/p" meson.build | tr -d "',")
    # a line for each include of one of our headers: who, whom
    INCLUDES=$(grep -rHo '^#include "[^"]*/[^"]*\.h"' --include='*.[ch]' . |
        sed 's/^\.\/\([^:]*\):#include "\(.*\)"/\1 \2/')
}

@test "each room includes only those before it, and no format another one" {
    # a list for each format to come: "formats", then "formats/NAME"
    found=$(awk -v rooms="$ROOMS" '
        function room(path) { sub("/[^/]*$", "", path); return path }
        function rank(r) { sub("/.*", "", r); return ranks[r] }
        BEGIN { for (i = split(rooms, list, " "); i > 0; i--) ranks[list[i]] = i }
        { who = room($1); whom = room($2) }
        rank(who) * rank(whom) == 0 || rank(whom) > rank(who) { print; next }
        rank(who) == rank(whom) && who != whom && whom ~ "/" { print }
    ' <<<"$INCLUDES")
    [ -z "$found" ] || fail "these point back up:" "$found"
    [ "$(wc -l <<<"$INCLUDES")" -gt 100 ]
}

@test "no header includes itself, be it by way of others" {
    # tsort names the members of a circle
    grep -v '\.c ' <<<"$INCLUDES" | tsort >order 2>circle || fail "$(cat circle)"
    rm order circle
}

# Formats and filters have names that begin with what they are; what ends a tool or warns reads as English.
@test "global names begin with the name of a header of their room" {
    need nm
    library=$(dirname "$(command -v profcat)")/../src/libprofpipe.a
    [ -e "$library" ] || skip "no library beside the tools"
    # the name of a member of the library is its path with "_" for "/"
    found=$({ find . -name '*.h' && nm -g --defined-only "$library"; } | awk '
        sub("^[.]/", "") { gsub("/", "_"); sub("[.]h$", ""); headers[$0]; next }
        /:$/ { file = $1; sub("^.*[.]p/", "", file); sub("^meson-generated_[.][.]_", "", file); next }
        NF != 3 || $3 ~ /^__|^(die|warn|note)($|_)|^(format|filter)_/ || file ~ /pb-c/ { next }
        { names++; good = 0 }
        {
            for (header in headers) {
                part = header
                while (sub("^[^_]*_", "", part) && !good) {
                    room = substr(header, 1, length(header) - length(part))
                    good = index(file, room) == 1 && index($3, part) == 1
                }
            }
        }
        good == 0 { print file, $3 }
        END { if (names < 100) print "few names:", names }
    ')
    [ -z "$found" ] || fail "$found"
}

# Profile rows are the model itself, and stacks are in it. The names of its hidden tables are those of the
# specification of version 1.0, and views in databases are called what their users know (model/*.sql).
@test "no room below formats names one" {
    below=$(sed 's/ formats .*//' <<<" $ROOMS ")
    words=$(grep -vxE 'rows|stacks' formats/list)
    # shellcheck disable=SC2086 # rooms are many arguments
    found=$(grep -rniwF "$words" $below --include='*.[ch]' --include='*.in' --exclude=hidden.h || true)
    [ -z "$found" ] || fail "$found"
    [ "$(wc -w <<<"$below")" -gt 3 ]
    grep -qwF "$words" rows/hidden.h
}

# What knows nothing of a kind of source takes its samples to be in order.
@test "every format says whether its samples are in order" {
    for format in $(grep -vx rows formats/list); do
        grep -rqE "KIND\($format, (IN_ORDER|UNORDERED|SCATTERED)," formats --include='*_own.h' || fail "$format"
    done
}

# Few build on OpenBSD, so a fault there would be found late.
@test "what confines a tool on OpenBSD compiles" {
    need cc
    mkdir "$BATS_TEST_TMPDIR/base"
    cd "$BATS_TEST_TMPDIR"
    printf '#define CONFINE_LINUX 0\n#define CONFINE_OPENBSD 1\n' >base/confine_config.h
    # as its <unistd.h> declares them
    printf 'int %s;\n' 'pledge(const char *promises, const char *execpromises)' \
        'unveil(const char *path, const char *permissions)' >calls.h
    cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -include calls.h -I. -I"$BATS_TEST_DIRNAME/../../src" \
        "$BATS_TEST_DIRNAME/../../src/base/confine.c"
}
