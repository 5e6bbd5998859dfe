# The recipes of samples/scale with the programs they are for: GNU parallel over ssh, and Slurm, on two machines that
# share a folder. Whatever breaks is noticed, and trying again gives the same bytes.

load helpers
load scale-helpers

# Runs the steps on standard input on the first of three machines.
with_machines() {  # ssh|slurm
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    unshare --net --mount --pid --uts --fork ip link add left type veth 2>unshared || skip 'the kernel allows no machines of our own'
    mkdir home bin cluster parts.tmpfs
    export T SCALE LABELS HOME=$T/home PATH=$T/bin:$PATH
    tool :
    # the steps have the functions of this file, and stop at what fails, as a test does
    { declare -f list_them tool failing try same fail says again noticed; echo "real='$real'"; cat; } >steps
    timeout 240 "$ROOT/tests/cluster" "$1" "$T/cluster" bash -eEx steps 2>trace || fail "$(tail -n 30 trace)" "$(tail -n 5 said cluster/*.log)"
}

# All is as it was, and the recipe, in `merge`, gives the bytes of one command.
again() {
    tool :
    merge
    same one.pb.gz all.pb.gz
    rm all.pb.gz parts/*.pb.gz
}

# Something is wrong: there is no result, and a message says what.
noticed() {  # text
    merge || true
    [ ! -e all.pb.gz ]
    grep -qF "$1" said
}

# What can break with every engine. Steps define `merge`, which says what went wrong in the file `said`.
broken='
again

# a leaf is killed twice, and then each time
failing KILL 2
merge
same one.pb.gz all.pb.gz
rm all.pb.gz parts/*.pb.gz
failing KILL 1000
noticed Killed
again

# a file is missing
missing=$(sed -n 6p list)
mv "$missing" kept
tool :
noticed "cannot open $missing"
mv kept "$missing"
again

# a file comes twice
cp parts/0.list kept
sed -n 1p kept >>parts/0.list
noticed "more than once"
mv kept parts/0.list
again

# the disk is full
cp parts/* parts.tmpfs/
mount -t tmpfs -o size=24k none parts
cp parts.tmpfs/* parts/
noticed "No space left on device"
mount -o remount,size=1m parts
again
umount parts
'

@test "GNU parallel over ssh: killed leaves, machines that are cut off, full disks, missing files" {
    need parallel dropbear ssh ip
    takes_long
    with_machines ssh <<END
export PARALLEL="--ssh \$SSH --sshlogin 1/left,1/right --env PATH --workdir $T"
merge() { "\$SCALE/parallel" parts all.pb.gz 2>said; }
$broken
# both machines work
tool 'hostname >>"$T/seen"'
merge
[ "\$(sort -u seen | paste -sd ' ')" = 'first left right' ]
rm all.pb.gz parts/*.pb.gz

# a machine is cut off: the other does its work
tool :
ip -n left link set eth0 down
merge
same one.pb.gz all.pb.gz
rm all.pb.gz parts/*.pb.gz
# a loop over machines does not see it, but the sum does
for host in left right; do
    "\$SSH" \$host env PATH="\$PATH" profcat $T/prof/2026-11-25/web/host1.pb.gz || true
done >came
try ndjson2pprof --expect=2 -o all.pb.gz came
says 4 'ndjson2pprof: --expect: expected 2 sources, found 1'
[ ! -e all.pb.gz ]
ip -n left link set eth0 up

# it is cut off while it works: the other must not have done all before it is back
tool '[ "\$(hostname)" != left ] || { : >"$T/waits"; sleep 60; }; until [ -e "$T/waits" ]; do sleep 0.1; done'
merge &
until [ -e waits ]; do sleep 0.1; done
ip -n left link set eth0 down
wait \$!
same one.pb.gz all.pb.gz
rm all.pb.gz parts/*.pb.gz
ip -n left link set eth0 up
again
END
}

@test "Slurm: killed leaves, machines that are cut off, full disks, missing files" {
    need slurmctld slurmd sbatch ip
    takes_long
    with_machines slurm <<END
# until no job is left; what they say is in files of Slurm's
merge() {
    rm -f slurm-*.out
    "\$SCALE/slurm" parts all.pb.gz >submitted
    until [ -z "\$(squeue --noheader)" ]; do sleep 0.2; done
    cat slurm-*.out >said
}
$broken
tool 'hostname >>"$T/seen"'
merge
[ "\$(sort -u seen | paste -sd ' ')" = 'left right' ]
rm all.pb.gz parts/*.pb.gz

# a machine is cut off while it works: Slurm gives its task to the other
tool '[ "\$(hostname)" != left ] || { : >"$T/waits"; sleep 60; }'
merge &
until [ -e waits ]; do sleep 0.1; done
ip -n left link set eth0 down
wait \$!
same one.pb.gz all.pb.gz
rm all.pb.gz parts/*.pb.gz
# it stays away
again
ip -n left link set eth0 up
END
}
