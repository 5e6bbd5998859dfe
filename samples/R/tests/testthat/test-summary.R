plain_columns <- function(summary) {
  lapply(summary, function(part) if (is.data.frame(part)) { part[] <- lapply(part, c); part } else part)
}

# What it misreads is judged below.
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
  file <- sample_file("rprof/odd-names.out")
  sums <- summary(read_profile(file))
  lines <- readLines(file, encoding = "bytes")
  for (label in c("\"fit the model\"", "\"a;b;c\"", "\"sample.interval=5\""))
    expect_equal(sums$by.total[label, "total.time"], 0.005 * sum(grepl(label, lines, fixed = TRUE, useBytes = TRUE)))
  expect_equal(sums$by.self["\"burn\"", "self.time"], 0.005 * sum(startsWith(lines, "\"burn\"")))
})

# Stacks and seconds of an Rprof file: each line that is no header and not torn, of as long as the
# header before it says.
counted <- function(name) {
  bytes <- readBin(sample_file(name), "raw", 1e6)
  lines <- strsplit(rawToChar(bytes), "\n", fixed = TRUE, useBytes = TRUE)[[1]]
  if (bytes[length(bytes)] != as.raw(10)) lines <- lines[-length(lines)]
  header <- grepl("sample.interval=[0-9]+$", lines, useBytes = TRUE)
  interval <- as.numeric(sub(".*=", "", lines[header], useBytes = TRUE))[cumsum(header)] / 1e6
  is_sample <- !header & !grepl("^#File ", lines, useBytes = TRUE)
  list(line = lines[is_sample], seconds = interval[is_sample], intervals = sort(unique(interval)))
}

test_that("appended runs, cut stacks and torn lines are counted as what they are", {
  samples <- c(appended = 51, deep = 7, killed = 248, torn = 569, latin1 = 24)
  for (name in names(samples)) {
    file <- paste0("rprof/", name, ".out")
    expected <- counted(file)
    expect_length(expected$line, samples[[name]])
    x <- suppressWarnings(read_profile(sample_file(file)))
    sums <- summary(x)
    expect_equal(sums$sampling.time, sum(expected$seconds), label = name)
    expect_equal(sums$sample.interval, expected$intervals[1], label = name)
    digits <- if (expected$intervals[1] < 0.01) 3 else 2
    for (label in c("\"lapply\"", "\"FUN\"", "\"vapply\"", "\"burn\"")) {
      within <- grepl(label, expected$line, fixed = TRUE, useBytes = TRUE)
      innermost <- sub("^(:[0-9:]*:)?([0-9]+#[0-9]+ )*", "", expected$line, useBytes = TRUE)
      self <- sum(expected$seconds[startsWith(innermost, label)])
      if (!any(within)) next
      expect_equal(sums$by.total[label, "total.time"], round(sum(expected$seconds[within]), digits),
                   label = paste(name, label))
      expect_equal(sums$by.total[label, "self.time"], round(self, digits), label = paste(name, label))
    }
  }
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
