rprof_files <- function() Sys.glob(sample_file("rprof/*.out"))
pprof_files <- function() Sys.glob(sample_file("pprof/*.pb.gz"))

test_that("a profile of version 1.0 has the tables of R's profile", {
  skip_without_tools()
  x <- read_rprof(rprof_file("\"f\" \"g\" ", "\"f\" \"g\" ", "\"g\" "))
  expect_s3_class(x, "profile_data", exact = TRUE)
  expect_identical(names(x), c("meta", "sample_types", "samples", "locations", "functions", ".rprof"))
  expect_identical(x$meta$value, "1.0")
  expect_identical(x$samples$value, 2:1)
  expect_identical(lapply(x$samples$locations, `[[`, "location_id"), list(1:2, 2L))
  expect_identical(x$functions$name, c("f", "g"))
  expect_identical(vapply(x$functions[1:5], typeof, ""), c(
    function_id = "integer", name = "character", system_name = "character", filename = "character",
    start_line = "integer"))
  expect_output(print(x), "Profile data: 2 samples")
})

test_that("version 1.0 is what prof2to1 makes, where that loses nothing", {
  skip_without_tools()
  skip_if_not_installed("jsonlite")
  for (file in c(rprof_files(), pprof_files())) {
    rows <- lapply(suppressWarnings(run_tool("prof2to1", file_arguments(file))), jsonlite::fromJSON)
    rows <- Filter(function(row) row$table == "samples", rows)
    reader <- if (endsWith(file, ".gz")) read_pprof else read_rprof
    x <- suppressWarnings(reader(file))
    ids <- lapply(x$samples$locations, `[[`, "location_id")
    value <- x$samples$value
    if (any(grepl("/", names(x$samples), fixed = TRUE))) { # samples with other values are not joined
      labels <- if (".labels" %in% names(x$samples)) as.character(x$samples$.labels) else NA
      run <- run_numbers(list(vapply(ids, paste, "", collapse = " "), rep_len(labels, length(ids))))
      value <- as.vector(tapply(value, run, sum))
      ids <- ids[!duplicated(run)]
    }
    expect_equal(value, vapply(rows, `[[`, 0L, "value"), info = file)
    expect_equal(ids, lapply(rows, function(row) as.integer(row$locations$location_id)), info = file)
  }
})

test_that("Rprof files come back byte for byte", {
  skip_without_tools()
  whole <- setdiff(rprof_files(), sample_file(c("rprof/torn.out", "rprof/killed.out")))
  for (file in whole) for (version in c("1.0", "2.0")) {
    copy <- tempfile()
    suppressWarnings(write_rprof(read_rprof(file, version = version), copy))
    expect_identical(bytes_of(copy), bytes_of(file), info = paste(file, version))
  }
})

test_that("pprof files of version 1.0 come back as they were", {
  skip_without_tools()
  for (file in pprof_files()) {
    x <- read_pprof(file)
    copy <- tempfile()
    write_pprof(x, copy)
    again <- read_pprof(copy, source_uri = x$.msg$source_uri)
    expect_identical(again, x, info = file)
  }
})

test_that("memory and time reach pprof", {
  skip_without_tools()
  file <- sample_file("rprof/memory.out")
  for (version in c("1.0", "2.0")) {
    copy <- tempfile()
    suppressWarnings(write_pprof(read_rprof(file, version = version), copy))
    values <- tables_of(read_pprof(copy, version = "2.0"))$sample_values
    expect_setequal(values$type, c("samples", "cpu", "duplications", "alloc_size", "dealloc_size"))
    expect_equal(sum(values$value[values$type == "cpu"]), 55 * 5e6)
  }
})

test_that("names keep their dots, quotes and bytes", {
  skip_without_tools()
  x <- read_rprof(rprof_file("\"say \"hi\"\" \"lm.fit\" ", "\"<GC>\" \"lm.fit\" "))
  expect_identical(x$functions$name, c("say \"hi\"", "lm.fit", "<GC>"))
  latin1 <- read_rprof(sample_file("rprof/latin1.out"))$functions$name
  expect_true(any(Encoding(latin1) == "bytes"))
})

test_that("a stack that R has cut is a warning that says what to do", {
  skip_without_tools()
  expect_warning(read_rprof(sample_file("rprof/deep.out")),
                 "Incomplete sampling information, increase bufsize in `Rprof()`", fixed = TRUE)
})

test_that("sources have the name that is asked for", {
  skip_without_tools()
  file <- rprof_file("\"f\" ")
  expect_identical(tables_of(read_rprof(file, version = "2.0"))$sources$source_uri, file)
  expect_identical(tables_of(read_rprof(file, version = "2.0", source_uri = "run 1"))$sources$source_uri, "run 1")
  expect_identical(read_rprof(file, source_uri = "run 1")$.rprof$source_uri, "run 1")
})

test_that("what cannot be read is an error", {
  skip_without_tools()
  expect_error(read_rprof("/nowhere/Rprof.out"), "/nowhere/Rprof.out", class = "profpipe_error")
  expect_error(read_pprof(rprof_file("\"f\" ")), "is of the format rprof, not pprof")
  expect_error(read_rprof(rprof_file("\"f\" "), version = "3.0"), "version must be")
  expect_error(read_rprof(c("a", "b")), "path must be")
})

test_that("a run without samples is a source", {
  skip_without_tools()
  file <- rprof_file()
  one <- read_rprof(file)
  expect_identical(nrow(one$samples), 0L)
  two <- tables_of(read_rprof(file, version = "2.0"))
  expect_identical(vapply(two[v2_tables], nrow, 0L), c(
    meta = 1L, sources = 1L, samples = 0L, sample_values = 0L, sample_locations = 0L, locations = 0L,
    functions = 0L))
  expect_identical(tables_of(profile_v2_from_v1(one))$sources, two$sources)
  for (x in list(one, two)) {
    copy <- tempfile()
    write_rprof(x, copy)
    expect_identical(readLines(copy), readLines(file))
  }
})
