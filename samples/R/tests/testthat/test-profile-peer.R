# R's profile itself, in the folder profile of PEERS, a checkout of r-prof/profile: its tests run on
# the functions here, and its tables are compared with these.

peer_folder <- function() {
  folder <- file.path(Sys.getenv("PEERS"), "profile")
  skip_if_not(file.exists(file.path(folder, "R", "api.R")), "PEERS names no folder with r-prof/profile")
  folder
}

# Its code, with the packages that it imports.
peer_code <- function() {
  folder <- peer_folder()
  for (package in c("rlang", "tibble", "vctrs", "withr")) skip_if_not_installed(package)
  code <- new.env(parent = asNamespace("rlang"))
  code$`%>%` <- tibble::`%>%`
  code$defer <- withr::defer
  for (file in list.files(file.path(folder, "R"), full.names = TRUE)) sys.source(file, code)
  code$install_proto_files <- function()
    RProtoBuf::readProtoFiles(file.path(folder, "inst", "proto", "profile.proto"))
  code
}

# Its tests call functions that it does not export: what these do is done by files.
peer_tests <- function(file) {
  skip_without_tools()
  folder <- peer_folder()
  skip_if_not(file.exists(file.path(folder, "tests", "testthat", file)), paste("r-prof/profile has no", file))
  through <- function(write, extension) function(x) {
    path <- tempfile(fileext = extension)
    write(x, path)
    path
  }
  here <- new.env(parent = environment())
  sys.source(file.path(folder, "tests", "testthat", "helper-ds.R"), here)
  here$read_inst_rprof <- function(path) read_rprof(file.path(folder, "inst", "samples", path))
  here$read_inst_pprof <- function(path) read_pprof(file.path(folder, "inst", "samples", path))
  here$ds_to_rprof <- through(write_rprof, ".out")
  here$ds_to_msg <- through(write_pprof, ".pb.gz")
  here$rprof_to_ds <- read_rprof
  here$msg_to_ds <- read_pprof
  here$map_int <- function(list, f) vapply(list, f, 0L)
  # no test here needs it
  here$skip_if_not_installed <- function(package) if (package != "RProtoBuf") skip_if_not_installed(package)
  # its snapshots, whatever version of testthat has written them
  here$expect_snapshot <- function(x) {
    said <- sub("^[^A-Z]*", "", trimws(testthat::capture_messages(print(x))))
    kept <- readLines(file.path(folder, "tests", "testthat", "_snaps", sub("^test-(.*)R$", "\\1md", file)))
    testthat::expect_length(said, 1)
    testthat::expect_true(any(endsWith(kept, said)), info = said)
  }
  here$with_its_name <- testthat::test_that
  here$test_that <- function(name, code) {
    code <- substitute(code)
    if (!name %in% differing) eval(call("with_its_name", name, code), here)
  }
  sys.source(file.path(folder, "tests", "testthat", file), here)
}

# It drops the last frame of a line that R has cut, whole or not, and a position without a name, which
# is code outside of functions here.
differing <- "read incomplete files"

test_that("stacks that R has cut are read up to there", {
  skip_without_tools()
  file <- file.path(peer_folder(), "inst", "samples", "rprof", "incomplete.out")
  expect_warning(x <- read_rprof(file), 
    "Incomplete sampling information, increase bufsize in `Rprof()` or `start_profiler()` call", fixed = TRUE)
  outside <- x$locations$location_id[is.na(x$locations$function_id)]
  named <- vapply(x$samples$locations, function(stack) sum(!stack$location_id %in% outside), 0L)
  expect_true(all(diff(named) %in% c(0L, -1L)))
})

# Each of its files has tests of its own, which report by themselves.
if (nzchar(Sys.getenv("PEERS"))) for (file in c(
  "test-dm.R", "test-pprof-from-ds.R", "test-pprof-write.R", "test-rprof-from-ds.R", "test-rprof-read.R",
  "test-rprof-write.R")) peer_tests(file)

test_that("the examples of R's profile run", {
  skip_without_tools()
  file <- file.path(peer_folder(), "inst", "samples", "rprof", "1.out")
  ds <- read_rprof(file)
  expect_output(print(ds), "Profile data: [0-9]+ samples")
  pprof_file <- tempfile("profile", fileext = ".pb.gz")
  expect_identical(write_pprof(ds, pprof_file), ds)
  expect_silent(validate_profile(ds))
  bad_ds <- ds
  bad_ds$samples <- NULL
  expect_error(validate_profile(bad_ds))
})

# Its rows of samples, as version "1.0" has them here.
same_samples <- function(file, reader) {
  theirs <- suppressWarnings(get(reader, peer_code())(file))
  expect_silent(validate_profile(theirs))
  ours <- suppressWarnings(get(reader)(file))
  expect_identical(frames_of(ours), frames_of(theirs), info = file)
  for (table in c("meta", "sample_types", "samples", "locations", "functions")) {
    undotted <- function(x) vapply(x[[table]][!startsWith(names(x[[table]]), ".")], typeof, "")
    expect_identical(undotted(ours), undotted(theirs), info = paste(file, table))
  }
}

frames_of <- function(x) {
  locations <- x$locations
  functions <- x$functions[match(locations$function_id, x$functions$function_id), ]
  frame <- paste(functions$system_name, functions$filename, locations$line)
  stacks <- vapply(x$samples$locations, function(stack)
    paste(frame[match(stack$location_id, locations$location_id)], collapse = "\n"), "")
  rep(unname(stacks), x$samples$value)
}

test_that("samples are those of R's profile where it is right", {
  skip_without_tools()
  # It drops or misreads samples of other files: see read_rprof.Rd.
  for (file in sample_file(c("rprof/plain.out", "rprof/deep.out"))) same_samples(file, "read_rprof")
  same_samples(file.path(peer_folder(), "inst", "samples", "rprof", "1.out"), "read_rprof")
  skip_if_not_installed("RProtoBuf")
  for (file in sample_file(c("pprof/cpp-cpu.pb.gz", "pprof/go-labels.pb.gz"))) same_samples(file, "read_pprof")
  same_samples(file.path(peer_folder(), "inst", "samples", "proto", "1.out.prof.pb.gz"), "read_pprof")
})

test_that("what R's profile has read can be written, and converted to version 2.0", {
  skip_without_tools()
  theirs <- peer_code()$read_rprof(file.path(peer_folder(), "inst", "samples", "rprof", "1.out"))
  two <- tables_of(profile_v2_from_v1(theirs))
  expect_identical(two$sources$source_type, "rprof")
  expect_silent(validate_profile(two))
  copy <- tempfile()
  suppressWarnings(write_rprof(theirs, copy))
  expect_identical(frames_of(read_rprof(copy)), frames_of(theirs))
})
