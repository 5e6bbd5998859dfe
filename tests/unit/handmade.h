/* handmade.h - canonical rows of every table, each a thing that the scanner must take. */
#ifndef PROFPIPE_HANDMADE_H
#define PROFPIPE_HANDMADE_H

static const char *const handmade[] = {
    "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}",
    "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true,\".by\":[1,2]}",
    "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"rprof\",\"source_uri\":null,"
    "\"source_timestamp\":null}",
    "{\"table\":\"sources\",\"source_id\":9007199254740991,\"source_type\":\"\",\"source_uri\":"
    "\"a/b \\\"c\\\" \\\\ d\",\"source_timestamp\":1700000000,\".value_types\":[{\"type\":"
    "\"samples\",\"unit\":\"count\"},{\"type\":\"x\",\"unit\":\"bytes\",\"gauge\":true}],"
    "\".period\":{\"type\":\"cpu\",\"unit\":\"nanoseconds\",\"value\":20000000},\".rprof\":{}}",
    "{\"table\":\"sources\",\"source_id\":2,\"source_type\":\"p\",\"source_uri\":\"\","
    "\"source_timestamp\":-1.5e-3,\".pprof\":{\"comment\":[],\"drop_frames\":\"\"}}",
    "{\"table\":\"functions\",\"function_id\":1,\"name\":\"f\",\"system_name\":\"f\","
    "\"filename\":\"\",\"start_line\":0}",
    "{\"table\":\"functions\",\"function_id\":12345678,\"name\":\"\xc3\xa4\xe2\x82\xac\xf0\x9f"
    "\x98\x80\",\"system_name\":\"\\u0001\\b\\f\\n\\r\\t\\u001f\",\"filename\":\"/x\","
    "\"start_line\":9223372036854775807,\".unmangled\":true,\".bytes\":{\"name\":\"c3a4\"}}",
    "{\"table\":\"locations\",\"location_id\":7,\"function_id\":null,\"line\":null}",
    "{\"table\":\"locations\",\"location_id\":123456789,\"function_id\":1234567,\"line\":0,"
    "\".mapping_id\":3,\".address\":\"ffffffffffffffff\",\".is_folded\":false,\".column\":null}",
    "{\"table\":\"locations\",\"location_id\":8,\"function_id\":1,\"line\":9223372036854775807,"
    "\".inlined_into\":7}",
    "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1}",
    "{\"table\":\"samples\",\"sample_id\":2,\"source_id\":1,\".labels\":[{\"key\":\"thread \\\"1"
    "\\\"\",\"str\":\"m\xc3\xa4in\\n\"},{\"key\":\"bytes\",\"num\":-9223372036854775808,\"unit\":"
    "\"bytes\"},{\"key\":\"k\",\"num\":1234567890123456789}],\".truncated\":true}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"samples\",\"unit\":\"count\","
    "\"value\":1}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"\",\"unit\":\"\",\"value\":"
    "9223372036854775807}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
    "-9223372036854775808}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":-1}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":0}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
    "12345678}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":-0.0}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":1e3}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
    "1.7976931348623157e308}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
    "5E-324}",
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"a\",\"unit\":\"b\",\"value\":"
    "123456789012345678901234567890.5,\".note\":\"\"}",
    "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":1,\"location_id\":1}",
    "{\"table\":\"sample_locations\",\"sample_id\":9007199254740991,\"depth\":"
    "9223372036854775807,\"location_id\":9007199254740991,\".x\":{\"a\":[{\"b\":[[]]}]}}",
    "{\"table\":\"sample_types\",\"type\":\"samples\",\"unit\":\"count\"}",
    "{\"table\":\"samples\",\"value\":1,\"locations\":[]}",
    "{\"table\":\"samples\",\"value\":1,\"locations\":[{\"location_id\":1}]}",
    "{\"table\":\"samples\",\"value\":9223372036854775807,\"locations\":[{\"location_id\":"
    "9007199254740991},{\"location_id\":7},{\"location_id\":7}],\".x\":[]}",
    "{\"table\":\".mappings\",\"mapping_id\":1}",
    "{\"table\":\".mappings\",\"mapping_id\":1,\"memory_start\":\"400000\",\"filename\":\"/bin/x"
    "\",\"has_functions\":true}",
    "{\"table\":\".end\"}",
    "{\"table\":\".end\",\"more\":true}",
    "{\"table\":\".rprof_files\",\"source_id\":1,\"number\":1,\"path\":\"gen.R\"}",
    "{\"table\":\".\\u0002\xc3\xa4\",\"\":null,\"a b\":false,\"nested\":{\"a\":{\"a\":{}}},"
    "\"sample_id\":5}",
};

#endif
