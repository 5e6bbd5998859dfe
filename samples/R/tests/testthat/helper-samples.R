# A file of the folder of samples that PROFPIPE_SAMPLES names.
sample_file <- function(name) {
  folder <- Sys.getenv("PROFPIPE_SAMPLES")
  skip_if(folder == "", "needs PROFPIPE_SAMPLES")
  file.path(folder, name)
}

# An Rprof file of these lines.
rprof_file <- function(..., header = "sample.interval=10000", file = tempfile(fileext = ".out")) {
  writeLines(c(header, ...), file)
  file
}

folded_profile <- function(...) {
  file <- tempfile(fileext = ".folded")
  writeLines(c(...), file)
  read_profile(file)
}

rows_of <- function(x) {
  file <- tempfile(fileext = ".ndjson")
  on.exit(unlink(file))
  write_profile(x, file)
  readLines(file)
}
