three <- function() read_profile(rprof_file("\"g\" \"f\" ", "\"f\" ", "\"h\" \"g\" \"f\" ", "\"a;b\\\\c\" \"f\" "))

test_that("samples are taken by position, condition, source and label", {
  x <- three()
  expect_identical(x[2:3]$samples$sample_id, 2:3)
  expect_identical(x[-1]$samples$sample_id, 2:4)
  expect_identical(x[x$samples$sample_id > 3]$samples$sample_id, 4L)
  expect_setequal(x[2]$functions$name, "f")
  expect_identical(nrow(x[0]$samples), 0L)
  expect_identical(names(x["samples"]), "samples")
  expect_identical(prof_sum(x[c(TRUE, FALSE, FALSE, FALSE)])$"function", c("g", "f"))
  both <- c(x, x[1])
  expect_identical(nrow(both[source = 1]$samples), 4L)
  expect_error(both[source = "other"], "no source is called other")
})

test_that("what chooses no sample is an error, and other sources go", {
  x <- read_profile(sample_file("rprof/plain.out"))
  both <- c(x, read_profile(sample_file("rprof/lines.out")))
  one <- both[source = 1]
  expect_identical(nrow(one$sources), 1L)
  expect_identical(nrow(one$samples), nrow(x$samples))
  expect_false(any(grepl("rprof_files", one$dotted_rows$table_name)))
  file <- tempfile(fileext = ".out")
  write_profile(one, file)
  expect_identical(nrow(read_profile(file)$samples), nrow(x$samples))
  expect_error(x[1e6], "expected positions", class = "profpipe_error")
  expect_error(x[c(TRUE, FALSE)], "expected positions", class = "profpipe_error")
  expect_error(x[label = "anna"], "label: expected a named value", class = "profpipe_error")
  expect_error(c(x, 1), "expected a profile", class = "profpipe_error")
  expect_error(read_profile(mtcars), "expected names of files", class = "profpipe_error")
})

test_that("labels choose samples", {
  x <- read_profile(sample_file("pprof/go-labels.pb.gz"))
  expect_identical(sum(x[label = c(user = "anna")]$samples$samples), 7)
  expect_identical(sum(x[label = c(user = "anna", request = "GET /")]$samples$samples),
                   sum(prof_filter(x, label = c(user = "^anna$", request = "^GET /$"))$samples$samples))
  expect_error(x[label = c(nobody = "1")], "no sample has a label nobody")
})

test_that("c() keeps all sources", {
  x <- c(three(), three())
  expect_identical(nrow(x$sources), 2L)
  expect_identical(nrow(x$samples), 8L)
  expect_identical(nrow(x$functions), 4L)
})

test_that("a data frame has stacks as a list, outermost first", {
  frame <- as.data.frame(three())
  expect_identical(unclass(frame$stack), list(c("f", "g"), "f", c("f", "g", "h"), c("f", "a;b\\\\c")))
  expect_identical(frame$"value.cpu/nanoseconds", rep(10000000L, 4))
  skip_if_not_installed("tibble")
  expect_s3_class(tibble::as_tibble(three()), "tbl_df")
})

test_that("long tables are made when they are asked for", {
  x <- three()
  expect_identical(x$sample_values$value, rep(1, 4))
  expect_identical(x$sample_locations$sample_id, c(1L, 1L, 2L, 3L, 3L, 3L, 4L, 4L))
  expect_identical(x$sample_locations$depth, c(1L, 2L, 1L, 1L, 2L, 3L, 1L, 2L))
  expect_error(x$sample_values <- 1, "is made from samples and nodes")
  everything <- read_profile(sample_file("rprof/everything.out"))
  plain <- tempfile(fileext = ".db")
  run_tool("ndjson2sqlite", c("--plain", "-o", plain, object_database(everything)$path))
  plain <- list2env(list(path = plain))
  for (table in long_tables) {
    found <- database_table(plain, table)
    ours <- everything[[table]]
    key <- intersect(c("sample_id", "depth", "type"), names(found))
    in_order <- function(frame) as.list(frame[do.call(order, frame[key]), names(ours)])
    expect_equal(in_order(as.data.frame(ours)), in_order(found))
  }
})

test_that("changed tables are written, whatever the order of their rows", {
  x <- read_profile(sample_file("rprof/memory.out"))
  rows <- rows_of(x)
  x$samples <- x$samples[rev(seq_len(nrow(x$samples))), ]
  x$functions <- x$functions[order(x$functions$name), ]
  expect_identical(rows_of(x), rows)
  x$functions$name[x$functions$name == "grow"] <- "shrink"
  expect_true("shrink" %in% prof_sum(x)$"function")
  x$samples <- x$samples[x$samples$sample_id <= 10, ]
  expect_identical(sum(prof_sum(x, by = "source")$self), 10L * 5000000L - 5000000L * sum(is.na(x$samples$node_id)))
  x$samples$extra <- 1
  expect_warning(rows_of(x), "column extra")
})

test_that("an object that was saved can still be used", {
  file <- tempfile()
  saveRDS(three(), file)
  x <- readRDS(file)
  expect_identical(nrow(prof_sum(x)), 4L)
  expect_output(print(x), "samples +4")
})
