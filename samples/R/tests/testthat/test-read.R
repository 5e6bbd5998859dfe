all_samples <- function() {
  Sys.glob(file.path(sample_file(""), c("rprof/*.out", "rprofmem/*.out", "pprof/*.pb.gz", "perun/*.perf",
                                        "perf/*.txt", "bench/*.json", "speedscope/*.json",
                                        "cpuprofile/*.cpuprofile", "folded/*.folded", "sqlite/*.db")))
}

test_that("rows of all samples come back", {
  files <- all_samples()
  expect_gt(length(files), 30)
  for (file in files) {
    x <- suppressWarnings(read_profile(file))
    before <- run_tool("sqlite2ndjson", object_database(x)$path)
    after <- run_tool("sqlite2ndjson", write_database(stored_form(object_tables(x)))$path)
    if (grepl("perun/time.perf", file)) { # 1.0 beside integers becomes 1
      before <- sub("\\.0}", "}", before)
      after <- sub("\\.0}", "}", after)
    }
    expect_identical(after, before, label = file)
  }
})

test_that("each sample keeps its source", {
  file <- tempfile(fileext = ".ndjson")
  source <- '{"table":"sources","source_id":%d,"source_type":"x","source_uri":"%s","source_timestamp":null}'
  writeLines(c('{"table":"meta","key":"version","value":"2.0"}', sprintf(source, c(3, 8), c("a", "b")),
               sprintf('{"table":"samples","sample_id":%d,"source_id":%d}', c(2, 3, 7), c(8, 3, 8))), file)
  x <- read_profile(file)
  expect_identical(x$samples$sample_id, 1:3)
  expect_identical(x$sources$source_uri[match(x$samples$source_id, x$sources$source_id)], c("b", "a", "b"))
})

values_of <- function(...) {
  file <- tempfile(fileext = ".ndjson")
  writeLines(c(
    '{"table":"meta","key":"version","value":"2.0"}',
    '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}',
    unlist(lapply(seq_along(c(...)), function(i) c(
      sprintf('{"table":"samples","sample_id":%d,"source_id":1}', i),
      sprintf('{"table":"sample_values","sample_id":%d,"type":"t","unit":"u","value":%s}', i, c(...)[i]))))), file)
  file
}

test_that("integers are exact, and doubles where these are", {
  expect_identical(read_profile(values_of("1", "9007199254740991"))$samples$t, c(1, 9007199254740991))
  for (value in c("9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775807")) {
    x <- read_profile(values_of("1", value))
    expect_identical(x$samples$t, bit64::as.integer64(c("1", value)))
    expect_identical(x$sample_values$value, x$samples$t)
    x$samples <- x$samples[2:1, ]
    expect_match(rows_of(x), paste0("\"value\":", value, "}"), fixed = TRUE, all = FALSE)
  }
  expect_error(read_profile(values_of("1", "-9223372036854775808")), "-9223372036854775808", class = "profpipe_error")
  expect_warning(read_profile(values_of("0.5", "9223372036854775807")), "rounded")
})

test_that("reals stay reals", {
  for (value in c("0.5", "1.0", "1e+300", "-0.1", "5e-324")) {
    x <- read_profile(values_of(value))
    expect_identical(x$samples$t, as.numeric(value))
    x$samples$t <- x$samples$t + 0
    expect_match(rows_of(x), paste0("\"value\":", value, "}"), fixed = TRUE, all = FALSE)
  }
  x$samples$t <- NaN
  expect_error(write_profile(x, tempfile(fileext = ".ndjson")), "column t has NaN")
})

test_that("one object has several files", {
  x <- read_profile(rprof_file("\"f\" "), rprof_file("\"g\" \"f\" "))
  expect_identical(nrow(x$sources), 2L)
  expect_identical(x$samples$source_id, 1:2)
  expect_s3_class(x, c("profpipe_profile", "profile_data"), exact = TRUE)
  expect_false(inherits(x, "profile")) # MASS and stats have that one
})

test_that("the temporary database goes with the object", {
  x <- read_profile(rprof_file("\"f\" "))
  path <- object_database(x)$path
  expect_true(file.exists(path))
  rm(x)
  gc()
  expect_false(file.exists(path))
})
