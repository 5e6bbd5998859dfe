test_that("profiles of chance come back from rows as they were", {
  skip_without_tools()
  rows <- tempfile(fileext = ".ndjson")
  on.exit(unlink(rows))
  for (seed in seq_len(if (nzchar(Sys.getenv("PROFPIPE_LONG"))) 300 else 30)) {
    x <- random_profile(seed)
    expect_silent(validate_profile(x))
    database <- write_parts(parts_of(tables_of(x)))
    run_tool("sqlite2ndjson", database$path, output = rows)
    again <- v2_of_parts(read_parts(read_database(rows)))
    expect_silent(validate_profile(again))
    expect_identical(content_of(again), content_of(x), label = paste("profile", seed))
  }
})

test_that("rows changed by dplyr can be written", {
  skip_without_tools()
  skip_if_not_installed("dplyr")
  skip_if_not_installed("tibble")
  x <- tables_of(random_profile(100))
  y <- x
  for (table in setdiff(v2_tables, "meta"))
    y[[table]] <- dplyr::slice_sample(dplyr::filter(y[[table]], TRUE), prop = 1)
  expect_identical(content_of(y), content_of(x))
  expect_identical(content_of(combine_profiles(y)), content_of(x))
})

test_that("dotted columns keep their types", {
  skip_without_tools()
  x <- tables_of(random_profile(60))
  count <- nrow(x$functions)
  x$functions$.int <- seq_len(count)
  x$functions$.text <- rep("\001\"\\", count)
  x$functions$.json <- I(rep("[1,{\"a\":null}]", count))
  x$functions$.flag <- rep(c(TRUE, NA), length.out = count)
  again <- tables_of(combine_profiles(x))$functions
  again <- again[match(seq_len(count), again$.int), ]
  expect_identical(lapply(again[c(".int", ".text", ".json", ".flag")], identity),
                   lapply(x$functions[c(".int", ".text", ".json", ".flag")], identity))
  x$functions$.list <- rep(list(1), count)
  expect_error(combine_profiles(x), "column .list has the class list")
})

test_that("values and mappings keep their dotted columns", {
  skip_without_tools()
  x <- tables_of(random_profile(9))
  x$sample_values$.note <- rep(c("a", NA), length.out = nrow(x$sample_values))
  expect_identical(content_of(combine_profiles(x)), content_of(x))
  expect_true(anyNA(tables_of(combine_profiles(x))$sample_values$.note))
  mappings <- data.frame(mapping_id = 1:2, filename = c("a", "b"), memory_start = "0x0", memory_limit = "0x0",
                         file_offset = "0x0", build_id = "")
  x$locations$.mapping_id <- rep(2:1, length.out = nrow(x$locations))
  x$.mappings <- mappings
  again <- tables_of(combine_profiles(x))
  expect_identical(sort(again$.mappings$filename), c("a", "b"))
  expect_type(again$locations$.mapping_id, "integer")
})

test_that("one column of values is rounded only with a warning", {
  skip_without_tools()
  x <- tables_of(random_profile(9))
  x$sample_values <- as_frame(list(
    sample_id = rep(x$samples$sample_id[1], 2), type = c("large", "part"), unit = rep("count", 2),
    value = c(2^52, 0.5)))
  rows <- tempfile(fileext = ".ndjson")
  database <- write_parts(parts_of(x))
  lines <- run_tool("sqlite2ndjson", database$path)
  writeLines(sub("4503599627370496", "9007199254740993", lines), rows, useBytes = TRUE)
  expect_warning(read <- v2_of_parts(read_parts(read_database(rows))), "large: rounded",
                 class = "profpipe_warning")
  expect_equal(tables_of(read)$sample_values$value, c(2^53, 0.5))
})

test_that("the least integer of 64 bits is an error", {
  skip_without_tools()
  rows <- tempfile(fileext = ".ndjson")
  writeLines(c(
    "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}",
    paste0("{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"manual\",",
           "\"source_uri\":null,\"source_timestamp\":null}"),
    "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1}",
    paste0("{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"n\",\"unit\":\"count\",",
           "\"value\":-9223372036854775808}")), rows)
  expect_error(read_parts(read_database(rows)), "-9223372036854775808")
})

test_that("a NUL in a name stays", {
  skip_without_tools()
  rows <- tempfile(fileext = ".ndjson")
  named <- paste0("{\"table\":\"functions\",\"function_id\":1,\"name\":\"a\ufffd\",\"system_name\":\"f\",",
                  "\"filename\":\"\",\"start_line\":0,\".bytes\":{\"name\":\"6100\"}}")
  meta <- "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
  writeLines(enc2utf8(c(meta, named)), rows, useBytes = TRUE)
  database <- write_parts(read_parts(read_database(rows)))
  expect_true(named %in% run_tool("sqlite2ndjson", database$path))
})
