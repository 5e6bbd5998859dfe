# What the tests of databases share. `load sqlite-helpers` behind `load helpers`.

# Rows that take both ways of every branch: text of all kinds, numbers that doubles do not print so, values out of
# order, dotted columns everywhere, definitions between samples, dotted tables in front of and behind them.
odd_rows() {
    cat <<'E2'
{"table":"meta","key":"version","value":"2.0",".ends":true,".x":[1.50]}
{"table":".first","b":1e3,"a":"\\\"\u0001"}
{"table":"sources","source_id":1,"source_type":"t","source_uri":"'; DROP TABLE samples; --","source_timestamp":1e3,".value_types":[{"type":"g","unit":"x","gauge":true}]}
{"table":".mappings","mapping_id":1,"filename":{"bytes":"ff00"},"build_id":"\"'"}
{"table":"functions","function_id":1,"name":"a\tb\"'\\","system_name":"é","filename":"","start_line":0,".no_name":true}
{"table":"functions","function_id":2,"name":"�","system_name":"f","filename":"x","start_line":9223372036854775807,".bytes":{"name":"00"}}
{"table":"locations","location_id":1,"function_id":null,"line":null,".mapping_id":1,".address":"0xffffffffffffffff",".column":-1,".is_folded":true,".z":null}
{"table":"locations","location_id":2,"function_id":1,"line":0,".inlined_into":1}
{"table":"locations","location_id":3,"function_id":2,"line":7,".address":"0x1",".mapping_id":1}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","str":"a;b"},{"key":"n","num":-9223372036854775808,"unit":"u"}],".truncated":true}
{"table":"sample_values","sample_id":1,"type":"b","unit":"u","value":-9223372036854775808}
{"table":"sample_values","sample_id":1,"type":"a","unit":"u","value":1.50,".v":{}}
{"table":"sample_values","sample_id":1,"type":"g","unit":"x","value":7}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":3}
{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2,".l":[]}
{"table":"sample_locations","sample_id":1,"depth":3,"location_id":1}
{"table":".between","sample_id":1,"location_id":2,"x":{"a":[1,{"b":null}]}}
{"table":"functions","function_id":3,"name":"late","system_name":"late","filename":"","start_line":1}
{"table":"locations","location_id":4,"function_id":3,"line":1}
{"table":"samples","sample_id":2,"source_id":1}
{"table":"sample_values","sample_id":2,"type":"a","unit":"u","value":0.1}
{"table":"sample_values","sample_id":2,"type":"b","unit":"u","value":9007199254740993}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":4}
{"table":"samples","sample_id":3,"source_id":1}
{"table":"sample_values","sample_id":3,"type":"a","unit":"u","value":-0.0}
{"table":"sample_values","sample_id":3,"type":"b","unit":"u","value":5e-324}
{"table":"sources","source_id":2,"source_type":"","source_uri":null,"source_timestamp":0.30000000000000004}
{"table":".end"}
E2
}

sound() {  # database
    local found
    found=$(sqlite3 "$1" 'PRAGMA foreign_key_check; PRAGMA integrity_check')
    [ "$found" = ok ] || fail "$1: $found"
}
