#!/usr/bin/env bats
# ndjson2sqlite --append beside others that write to the same database: nothing is lost.
load helpers
load sqlite-helpers

source_of() {  # name: an input whose only function beside f has that name
    printf 'sample.interval=20000\n"%s" "f" \n"f" \n' "$1"
}

functions_of() {  # database: all in one line
    sqlite3 "$1" "SELECT group_concat(name, ' ') FROM (SELECT name FROM functions ORDER BY name)"
}

# Begins to append to x.db what comes through `pipe`, and waits until it has locked that.
begin_append() {  # [option ...]
    [ -p pipe ] || mkfifo pipe
    ndjson2sqlite "$@" -a -o x.db pipe 2>appended &
    append=$!
    exec 9<>pipe # which waits for nobody
}

# Whether what appends has opened `pipe`, or ended.
has_opened() {
    ! kill -0 "$append" 2>/dev/null || readlink /proc/"$append"/fd/* | grep -q '/pipe$'
}

end_append() {  # name: of the function in the input; its status goes to $status
    source_of "$1" >&9
    wait_until has_opened # what nobody holds open any more is lost
    exec 9>&-
    status=0
    wait "$append" || status=$?
}

@test "eight at once, into a new database and into one that is there" {
    need sqlite3
    for round in 1 2; do
        for plain in '' --plain; do
            rm -f x.db
            for part in a b; do
                for i in 1 2 3 4 5 6 7 8; do
                    (
                        status=0
                        source_of "$part$i" | ndjson2sqlite $plain -a -o x.db || status=$?
                        echo $status >>all
                    ) &
                done
                wait
            done
            [ "$(functions_of x.db)" = 'a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8 f' ]
            [ "$(sqlite3 x.db 'SELECT count(*) FROM sources')" -eq 16 ]
            [ "$(sqlite3 x.db "SELECT total FROM top WHERE function = 'f' AND type = 'samples'")" -eq 32 ]
            sound x.db
        done
    done
    [ "$(sort all | uniq -c | tr -d ' \n')" = 640 ] # 64 times 0
    [ "$(files_here | tr '\n' ' ')" = 'all x.db ' ]
}

@test "another program's transaction is waited for, and what it has written stays" {
    need python3
    source_of a | ndjson2sqlite --plain -o x.db
    python3 - <<'END' &
import sqlite3, time
db = sqlite3.connect("x.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
db.execute("UPDATE functions SET name = 'theirs' WHERE name = 'a'")
open("began", "w").close()
time.sleep(1)
db.execute("COMMIT")
END
    wait_until test -e began
    source_of b | ndjson2sqlite -a -o x.db
    wait
    [ "$(functions_of x.db)" = 'b f theirs' ]
    sound x.db
}

@test "a program that has the database open, and waits, writes to what has been appended to" {
    need python3
    for mode in DELETE WAL; do
        rm -f x.db* began
        source_of a | ndjson2sqlite --plain -o x.db
        sqlite3 x.db "PRAGMA journal_mode = $mode" >found
        begin_append
        python3 - <<'END' 9>&- &
import sqlite3, sys, time
db = sqlite3.connect("x.db", isolation_level=None, timeout=0)
def begins():
    try:
        db.execute("BEGIN IMMEDIATE")
        return True
    except sqlite3.OperationalError:
        return False
while begins(): # until it is locked
    db.execute("ROLLBACK")
    time.sleep(0.01)
assert db.execute("SELECT count(*) FROM samples").fetchone() == (2,) # it can be read
open("began", "w").close()
while not begins():
    time.sleep(0.01)
db.execute("UPDATE functions SET name = 'theirs' WHERE name = 'a'")
db.execute("COMMIT")
END
        wait_until test -e began
        end_append b
        [ "$status" -eq 0 ]
        wait
        [ "$(functions_of x.db)" = 'b f theirs' ] || fail "$mode: $(functions_of x.db)"
        [ "$(sqlite3 x.db 'PRAGMA journal_mode')" = "${mode,,}" ]
        sound x.db
    done
}

@test "when --timeout is over the database is as it was" {
    need python3
    source_of a | ndjson2sqlite -o x.db
    cp x.db before
    python3 - <<'END' &
import sqlite3, time
db = sqlite3.connect("x.db", isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT * FROM samples").fetchone() # reads
open("began", "w").close()
time.sleep(2)
db.execute("ROLLBACK")
db.execute("BEGIN IMMEDIATE")
open("writes", "w").close()
time.sleep(60)
END
    wait_until test -e began
    # who reads is waited for at the end
    source_of b >input
    try ndjson2sqlite --timeout=.5 -a -o x.db input
    says 3 'ndjson2sqlite: .5 seconds are over (--timeout): x.db is locked by another program'
    same x.db before
    wait_until test -e writes
    try ndjson2sqlite --timeout=.5 -a -o x.db input
    says 3 'ndjson2sqlite: .5 seconds are over (--timeout): x.db is locked by another program'
    same x.db before
    kill %1
    wait
    begin_append --timeout=.5
    status=0
    wait "$append" || status=$?
    exec 9>&-
    [ "$status" -eq 3 ]
    same appended - <<<'ndjson2sqlite: .5 seconds are over (--timeout)'
    same x.db before
    [ -z "$(files_here | grep -vxE 'x.db|before|began|writes|input|pipe|appended')" ]
    ndjson2sqlite -a -o x.db input
    [ "$(functions_of x.db)" = 'a b f' ]
}

# Whether another program writes to a database, which is there.
is_locked() {  # database
    [ -e "$1" ] && ! sqlite3 "$1" 'BEGIN IMMEDIATE; ROLLBACK' 2>/dev/null
}

@test "a signal leaves no empty database, however early it comes" {
    local i looks
    mkfifo fifo
    exec 9<>fifo # so that the tool can open it
    for i in {1..20}; do
        ndjson2sqlite -q -a -o x.db fifo 9>&- &
        for ((looks = 0; looks < 1000000; looks++)); do [ ! -e x.db ] || break; done
        kill -TERM $!
        wait $! || true
        [ ! -e x.db ] || fail "$i"
    done
    exec 9>&-
}

# Whether a process has stopped, or ended.
has_stopped() {  # pid
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.[TZ]' "/proc/$1/status"
}

# Begins to append to y.db, and stops that where it stores, as its journal shows.
append_and_stop() {  # file
    local i looks
    for i in {1..20}; do
        cp x.db y.db
        listening ndjson2sqlite -q -a -o y.db "$1" 3>&- &
        append=$!
        for ((looks = 0; looks < 1000000; looks++)); do [ ! -e y.db-journal ] || break; done
        kill -STOP $append || true
        wait_until has_stopped $append
        [ ! -e y.db-journal ] || return 0
        kill -KILL $append || true # too late: once more
        wait $append || true
    done
    fail 'it was never seen to store'
}

@test "a signal that comes while all of it is being stored is too late" {
    need sqlite3
    [ -e /proc/self/status ] || skip "no /proc here"
    source_of a | ndjson2sqlite -o x.db
    { echo sample.interval=1000; seq 5000 | sed 's/.*/"f&" "g" /'; } >many
    for signal in HUP TERM; do
        append_and_stop many
        kill -$signal $append
        kill -CONT $append
        wait $append
        [ "$(sqlite3 y.db 'SELECT count(*) FROM functions')" -eq 5003 ]
    done
}

@test "killed in between, the database is as it was, and the next one goes on" {
    need sqlite3
    for signal in KILL TERM; do
        rm -f x.db
        begin_append
        wait_until is_locked x.db
        kill -$signal "$append"
        wait "$append" || true
        exec 9>&-
        if [ $signal = TERM ]; then [ ! -e x.db ]; else [ ! -s x.db ]; fi
        source_of a | ndjson2sqlite -a -o x.db
        [ "$(functions_of x.db)" = 'a f' ]
        cp x.db before
        begin_append
        sleep 0.2
        kill -$signal "$append"
        wait "$append" || true
        exec 9>&-
        same x.db before
        source_of b | ndjson2sqlite -a -o x.db
        [ "$(functions_of x.db)" = 'a b f' ]
        sound x.db
    done
    # a failure leaves no new file either
    rm x.db
    echo bad >bad
    try ndjson2sqlite -a -o x.db bad
    [ "$status" -eq 1 ]
    [ ! -e x.db ]
    # nor takes away what others have put there
    : >x.db
    try ndjson2sqlite -a -o x.db bad
    [ "$status" -eq 1 ]
    [ -e x.db ]
}

@test "killed at any moment of a large one" {
    takes_long
    local moments=4
    need sqlite3
    [ -z "${PROFPIPE_LONG-}" ] || moments=8
    awk 'BEGIN { print "sample.interval=20000"; for (i = 0; i < 40000; i++) printf "\"f%d\" \"g%d\" \n", i, i % 100 }' >large
    ndjson2sqlite -o first.db large
    [ "$(sqlite3 first.db 'SELECT count(*) FROM samples')" -eq 40000 ]
    cp first.db x.db
    for moment in $(seq "$moments"); do
        ndjson2sqlite -a -o x.db large &
        append=$!
        sleep 0.$((moment * 7 % 10))
        kill -KILL $append 2>messages || true
        wait $append 2>messages || true
        source_of "last$moment" | ndjson2sqlite -a -o x.db
        rm -f .profpipe.*
        count=$(sqlite3 x.db "SELECT count(*) FROM samples")
        [ $((count % 40000)) -eq $((2 * moment)) ] || fail "$moment: $count samples"
    done
    sound x.db
}

@test "a file that takes the place of the database meanwhile is not lost" {
    source_of a | ndjson2sqlite -o x.db
    begin_append
    sleep 0.2
    source_of c | ndjson2sqlite -o x.db
    cp x.db other
    end_append b
    [ "$status" -eq 3 ]
    same appended - <<<'ndjson2sqlite: cannot write x.db: another file has taken its place'
    same x.db other
}

@test "a database that is removed while its lock is waited for is made anew" {
    need sqlite3 python3
    has_it_open() { readlink /proc/"$append"/fd/* | grep -q '/x[.]db$'; }
    source_of a | ndjson2sqlite -o x.db
    source_of b >in
    python3 - <<'END' &
import os, sqlite3, time
db = sqlite3.connect("x.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("began", "w").close()
while not os.path.exists("waits"):
    time.sleep(0.01)
os.remove("x.db")
db.execute("ROLLBACK")
END
    other=$!
    wait_until test -e began
    ndjson2sqlite -a -o x.db in 2>appended &
    append=$!
    wait_until has_it_open
    touch waits
    wait "$other"
    wait "$append" || fail "status $?" "$(cat appended)"
    [ "$(functions_of x.db)" = 'b f' ]
    sound x.db
}

@test "of two that write one file without --append the last one wins, whole" {
    need sqlite3
    for i in 1 2 3 4 5 6 7 8; do
        source_of "a$i" >"in$i"
        ndjson2sqlite -o "out$i" "in$i"
    done
    for round in 1 2 3; do
        pids=
        for i in 1 2 3 4 5 6 7 8; do
            ndjson2sqlite -o x.db "in$i" &
            pids="$pids $!"
        done
        for pid in $pids; do wait "$pid"; done
        for i in 1 2 3 4 5 6 7 8; do cmp -s x.db "out$i" || continue; break; done
        # names of inputs differ, and nothing else
        same x.db "out$i"
    done
}

@test "an empty file is a database without rows, and links are followed" {
    need sqlite3
    : >x.db
    chmod 600 x.db
    ln -s x.db link
    source_of a | ndjson2sqlite -a --plain -o link
    [ "$(stat -c %a x.db)" = 600 ]
    ln x.db name
    source_of b | ndjson2sqlite -a -o link
    same x.db name # it is the same file
    [ "$(functions_of x.db)" = 'a b f' ]
    rm link
    source_of a | ndjson2sqlite -o y.db
    # what stands beside a file that is not there is of another database
    printf x >z.db-journal
    try ndjson2sqlite -a -o z.db y.db
    [ "$status" -eq 3 ]
    [ ! -e z.db ] && [ -e z.db-journal ]
}

@test "a link that leads to nothing gets a database where it leads to, or nothing" {
    mkdir elsewhere
    ln -s elsewhere/x.db first
    ln -s first link
    echo bad >bad
    try ndjson2sqlite -a -o link bad
    [ "$status" -eq 1 ]
    [ -z "$(ls elsewhere)" ]
    for name in a b; do
        source_of $name | ndjson2sqlite -a -o link
    done
    [ "$(ls elsewhere)" = x.db ]
    [ "$(functions_of elsewhere/x.db)" = 'a b f' ]
    [ -L first ] && [ -L link ]
}

@test "a database whose text is UTF-16 keeps it" {
    need sqlite3
    odd_rows >odd
    for encoding in UTF-16le UTF-16be; do
        for plain in '' --plain; do
            rm -f x.db other.db
            sqlite3 other.db "PRAGMA encoding = '$encoding'; CREATE TABLE t (x); DROP TABLE t"
            for db in x.db other.db; do
                ndjson2sqlite $plain -a -o $db odd
                source_of 'é😀' | ndjson2sqlite -a -o $db
            done
            [ "$(sqlite3 other.db 'PRAGMA encoding')" = $encoding ]
            sound other.db
            sqlite2ndjson x.db >rows
            sqlite2ndjson other.db | same rows -
        done
    done
}

@test "a database of deep stacks that was written is read" {
    takes_long
    awk 'BEGIN {
        for (i = 0; i < 400; i++) stack = stack "f" i % 7 ";"
        for (i = 0; i < 12000; i++) print stack "leaf" i % 40, 1 + i % 3
    }' | folded2ndjson | ndjson2sqlite --plain -o plain.db
    sqlite2ndjson plain.db | ndjson2sqlite -o x.db
    # less than what reading it may grow by
    [ "$(stat -c %s x.db)" -lt 1200000 ]
    profsum --format=tsv x.db >found
    profsum --format=tsv plain.db | same found -
    echo 'a 1' | folded2ndjson | ndjson2sqlite -a -o x.db
}

@test "what has failed leaves no journal behind" {
    echo '{"x":1' >bad
    try ndjson2sqlite -a -o new.db bad
    [ "$status" -eq 1 ]
    [ "$(echo new.db*)" = 'new.db*' ]
    : >empty.db
    try ndjson2sqlite -a -o empty.db bad
    [ "$status" -eq 1 ]
    [ "$(echo empty.db*)" = empty.db ]
    [ ! -s empty.db ]
}
