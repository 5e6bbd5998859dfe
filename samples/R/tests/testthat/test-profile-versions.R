small_v1 <- function() {
  new_profile_data(list(
    meta = list(key = "version", value = "1.0"),
    sample_types = list(type = "samples", unit = "count"),
    samples = list(value = c(2L, 1L),
                   locations = list(data.frame(location_id = 1:2), data.frame(location_id = 2L))),
    locations = list(location_id = 1:2, function_id = c(1L, NA), line = c(7L, NA)),
    functions = list(function_id = 1L, name = "f", system_name = "f", filename = "a.R", start_line = 0L)))
}

test_that("version 2.0 of version 1.0 repeats samples", {
  x <- tables_of(profile_v2_from_v1(small_v1()))
  expect_identical(x$meta$value, "2.0")
  expect_identical(as.list(x$sources), list(source_id = 1L, source_type = "manual", source_uri = NA_character_,
                                            source_timestamp = NA_real_))
  expect_identical(x$samples$sample_id, 1:3)
  expect_identical(as.list(x$sample_values), list(
    sample_id = 1:3, type = rep("samples", 3), unit = rep("count", 3), value = rep(1, 3)))
  expect_identical(as.list(x$sample_locations), list(
    sample_id = c(1L, 1L, 2L, 2L, 3L), depth = c(1L, 2L, 1L, 2L, 1L), location_id = c(1L, 2L, 1L, 2L, 2L)))
  expect_silent(validate_profile(x))
})

test_that("hidden tables say what a profile of version 1.0 was", {
  type_of <- function(hidden) {
    x <- c(unclass(small_v1()), hidden)
    tables_of(profile_v2_from_v1(structure(x, class = "profile_data")))$sources$source_type
  }
  expect_identical(type_of(list(.rprof = list(header = "x"))), "rprof")
  expect_identical(type_of(list(.msg = list())), "pprof")
})

test_that("values of a row are divided among its samples", {
  expect_identical(share_out(c(-7, 8, NA, 1.5), c(3L, 1L, 2L, 2L)), c(-3, -2, -2, 8, NA, NA, 0.75, 0.75))
  large <- bit64::as.integer64("9223372036854775807")
  expect_identical(as.character(share_out(large, 2L)), c("4611686018427387904", "4611686018427387903"))
})

test_that("profiles are combined with their sources", {
  skip_without_tools()
  one <- read_rprof(rprof_file("\"f\" \"g\" "), source_uri = "one")
  two <- read_rprof(rprof_file("\"g\" ", "\"h\" \"g\" "), version = "2.0", source_uri = "two")
  both <- tables_of(combine_profiles(one, two))
  expect_identical(both$sources$source_uri, c("one", "two"))
  expect_identical(both$samples$source_id, c(1L, 2L, 2L))
  expect_identical(both$functions$name, c("f", "g", "h"))
  expect_silent(validate_profile(both))
  expect_error(combine_profiles(), "at least one profile")
})

test_that("a profile without samples can be written", {
  skip_without_tools()
  empty <- profile_v2_from_v1(local({ x <- small_v1(); x$samples <- x$samples[0, ]; x }))
  expect_identical(nrow(tables_of(empty)$samples), 0L)
  expect_identical(content_of(combine_profiles(empty)), content_of(empty))
})

test_that("validation names the rule that is broken", {
  x <- small_v1()
  expect_identical(validate_profile(x), x)
  expect_invisible(validate_profile(x))
  broken <- function(change, message) {
    x <- change(x)
    expect_error(validate_profile(x), message, class = "simpleError", fixed = TRUE)
  }
  broken(unclass, "x must have the class profile_data")
  broken(function(x) { x$samples <- NULL; x }, "tables must be meta, sample_types, samples")
  broken(function(x) { x$other <- x$samples; x }, "then dotted ones")
  broken(function(x) { x$meta$value <- "3.0"; x }, "version 3.0 is not known")
  broken(function(x) { x$meta$value <- "new"; x }, "new")
  broken(function(x) { x$sample_types$unit <- "bytes"; x }, "sample_types must have one row")
  broken(function(x) { x$samples$value <- c(1, 2); x }, "samples$value must be integers")
  broken(function(x) { x$samples$value[1] <- 0L; x }, "samples$value must be integers above 0")
  broken(function(x) { x$samples$locations[[1]]$location_id <- c(1L, 9L); x }, "must be in locations")
  broken(function(x) { x$locations$location_id <- c(1L, 1L); x }, "each once")
  broken(function(x) { x$locations$function_id[1] <- 5L; x }, "each function_id in locations")
  broken(function(x) { x$locations$line[1] <- -1L; x }, "locations$line")
  broken(function(x) { x$functions$name <- ""; x }, "functions$name")
  broken(function(x) { x$functions <- cbind(.first = 1, x$functions); x }, "functions must have the columns")
})

test_that("version 2.0 is validated by its own rules", {
  x <- tables_of(profile_v2_from_v1(small_v1()))
  broken <- function(change, message) {
    x <- change(x)
    expect_error(validate_profile(x), message, class = "simpleError", fixed = TRUE)
  }
  broken(function(x) { x$sources <- NULL; x }, "tables must be those of version 2.0")
  broken(function(x) { x$samples$source_id[1] <- 4L; x }, "each source_id in samples")
  broken(function(x) { x$sample_values$value[1] <- NaN; x }, "finite")
  broken(function(x) { x$sample_values <- rbind(x$sample_values, x$sample_values); x }, "one value of each type")
  broken(function(x) { x$sample_locations$depth[1] <- 5L; x }, "1, 2, 3 and so on")
  broken(function(x) { x$sample_locations$location_id[1] <- 5L; x }, "each location_id in sample_locations")
  expect_error(profile_v2_from_v1(x), "version \"1.0\"")
})

test_that("the dm of version 1.0 has four tables", {
  tables <- relations_of_v1(small_v1())
  expect_identical(lapply(tables, names), list(
    samples = c("sample_id", "value"), locations = c("location_id", "function_id", "line"),
    functions = c("function_id", "name", "system_name", "filename", "start_line"),
    samples_locations = c("sample_id", "location_id")))
  expect_identical(as.list(tables$samples_locations), list(sample_id = c(1L, 1L, 2L), location_id = c(1L, 2L, 2L)))
})

test_that("a dm has all keys", {
  skip_if_not_installed("dm")
  one <- dm_from_profile(small_v1())
  expect_identical(nrow(dm::dm_get_all_pks(one)), 3L)
  expect_identical(nrow(dm::dm_get_all_fks(one)), 3L)
  two <- profile_v2_from_v1(small_v1())
  expect_s3_class(two, "dm")
  expect_identical(nrow(dm::dm_get_all_pks(two)), 7L)
  expect_identical(nrow(dm::dm_get_all_fks(two)), 5L)
  expect_true(all(dm::dm_examine_constraints(two)$is_key))
  expect_identical(dm_from_profile(two), two)
})

test_that("without dm there is an error that names it", {
  skip_if(requireNamespace("dm", quietly = TRUE), "dm is installed")
  expect_error(dm_from_profile(small_v1()), "install.packages(\"dm\")", fixed = TRUE)
})

test_that("an object of read_profile() is a profile of version 2.0", {
  skip_without_tools()
  file <- rprof_file("\"f\" \"g\" ", "\"g\" ")
  object <- read_profile(file)
  expect_identical(validate_profile(object), object)
  expect_identical(content_of(combine_profiles(object)), content_of(read_rprof(file, version = "2.0")))
  copy <- tempfile()
  write_rprof(object, copy)
  expect_identical(readLines(copy), readLines(file))
})
