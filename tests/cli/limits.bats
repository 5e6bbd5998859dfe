# What a small input, or one that nobody sensible wrote, may cost.

load helpers

# A stream of one sample, with a location at each of the depths on standard input.
sample_with_depths() {
    cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"","source_uri":null,"source_timestamp":null}
{"table":"locations","location_id":1,"function_id":null,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
END
    awk '{ print "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":" $1 ",\"location_id\":1}" }'
}

# Runs profvalidate with the memory that it has without any findings, and a little.
validate_in_little() {
    try bash -c 'ulimit -v 30000; exec profvalidate --max-errors=2 "$@"' - "$@"
}

@test "profvalidate: a sample with one depth again and again takes no memory for each" {
    plain_only "it reserves terabytes"
    yes 1 | head -n 600000 | sample_with_depths >ones
    validate_in_little ones
    says 1 'ones:6: sample_locations.depth: 1 comes twice in sample 1 [unique]' \
        'ones:7: sample_locations.depth: 1 comes twice in sample 1 [unique]' \
        'profvalidate: findings: unique (599999); the first 2 are shown'
    yes 9223372036854775807 | head -n 600000 | sample_with_depths >large
    validate_in_little large
    says 1 'large:5: sample_locations.depth: expected 1, found 9223372036854775807: depths have no gaps [depth]' \
        'large:6: sample_locations.depth: 9223372036854775807 comes twice in sample 1 [unique]' \
        'profvalidate: findings: unique (599999), depth (1); the first 2 are shown'
}

@test "profvalidate: of very many depths out of place some wait, the others are judged at once" {
    plain_only "it reserves terabytes"
    seq 2 2 1200000 | sample_with_depths >gaps
    validate_in_little gaps
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: depth (600000); the first 2 are shown'
    # so many can wait for those before them, and not one more
    { seq 2 262144; echo 1; } | sample_with_depths >late
    validate_in_little late
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: order (1)'
    { seq 2 262146; echo 1; } | sample_with_depths >late
    validate_in_little late
    tail -n 1 stderr | grep -Fx 'profvalidate: findings: order (1), depth (1)'
    profvalidate --any-order late
}
