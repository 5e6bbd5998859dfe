plain_columns <- function(summary) {
  lapply(summary, function(part) if (is.data.frame(part)) { part[] <- lapply(part, c); part } else part)
}

# summaryRprof() misreads odd names, torn lines, appended files and text in Latin-1.
test_that("figures are those of summaryRprof", {
  for (name in c("plain", "lines", "toplevel", "memory", "everything")) {
    file <- sample_file(paste0("rprof/", name, ".out"))
    x <- read_profile(file)
    for (lines in c("hide", "show", "both")) for (memory in c("none", "both")) {
      theirs <- tryCatch(summaryRprof(file, lines = lines, memory = memory), error = function(error) NULL)
      if (is.null(theirs)) expect_error(summary(x, lines = lines, memory = memory), "the profile has no")
      else expect_equal(summary(x, lines = lines, memory = memory), plain_columns(theirs), label = name)
    }
  }
})

test_that("memory is that of summaryRprof", {
  file <- sample_file("rprof/memory.out")
  x <- read_profile(file)
  for (diff in c(TRUE, FALSE)) for (index in list(2, 1:3, -1, c(3, -2))) if (!identical(index, 1:3))
    expect_equal(summary(x, memory = "tseries", diff = diff, index = index),
                 summaryRprof(file, memory = "tseries", diff = diff, index = index))
  for (index in c(2, -1)) {
    ours <- summary(x, memory = "stats", index = index)
    theirs <- summaryRprof(file, memory = "stats", index = index)
    expect_equal(names(ours), names(theirs))
    expect_equal(unlist(ours), unlist(theirs))
  }
  theirs <- summaryRprof(file, memory = "tseries", exclude = "\"grow\"")
  theirs$"stack:2" <- sub("^NA$", "", theirs$"stack:2") # all frames are excluded
  expect_equal(summary(x, memory = "tseries", exclude = "grow"), theirs)
})

test_that("names that summaryRprof misreads are right", {
  x <- read_profile(rprof_file("\"fit the model\" \"f\" ", "\"f\" "))
  expect_identical(row.names(summary(x)$by.total), c("\"f\"", "\"fit the model\""))
})

test_that("values that are no time are summed up", {
  x <- folded_profile("a;b 3", "a 1")
  sums <- summary(x)
  expect_identical(sums$by.total$total.time, c(4, 3))
  expect_identical(sums$sampling.time, 4)
})

test_that("samples are those of profvis", {
  skip_if_not_installed("profvis")
  file <- sample_file("rprof/plain.out")
  theirs <- profvis::parse_rprof(file)$prof
  stacks <- split(theirs$label[order(theirs$time, theirs$depth)], sort(theirs$time))
  expect_identical(unname(stacks), unclass(as.data.frame(read_profile(file))$stack))
})
