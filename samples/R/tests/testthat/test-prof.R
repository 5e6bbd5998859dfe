spend <- function(seconds) {
  until <- proc.time()[[1]] + seconds
  while (proc.time()[[1]] < until) sqrt(runif(1e3))
}

test_that("prof() returns a profile of the expression alone", {
  x <- prof({ result <- 1 + 1; spend(1) }, interval = 0.01)
  expect_identical(result, 2)
  expect_gt(nrow(x$samples), 10)
  outermost <- unique(vapply(as.data.frame(x)$stack, `[`, "", 1))
  expect_true("spend" %in% outermost)
  expect_false(any(c("prof", "record", "eval") %in% outermost))
  expect_true(all(c("alloc_size", "nodes") %in% names(x$samples)))
  expect_match(x$session$value[1], "R version")
  expect_identical(nrow(prof(spend(0.3), reps = 2)$sources), 2L)
})

test_that("an error in the expression stops Rprof", {
  expect_error(prof(stop("no luck")), "no luck")
  file <- rprof_file("\"f\" ")
  before <- file.info(file)$size
  expect_null(Rprof(NULL))
  expect_identical(file.info(file)$size, before)
})

test_that("an expression without samples is said", {
  expect_warning(x <- prof(1), "no samples: the expression used less than")
  expect_identical(nrow(x$samples), 0L)
})

test_that("intervals that would end R, and what is no code, are refused", {
  for (interval in list("10ms", -1, NA, 0, c(1, 2)))
    expect_error(prof(1, interval = interval), "interval: expected a number", class = "profpipe_error")
  f <- function() 1
  expect_error(prof_diff(f, f), "f is a function: call it", class = "profpipe_error")
  expect_error(suppressWarnings(prof_diff(prof(1), prof(1))), "makes a profile", class = "profpipe_error")
})

test_that("percents of a recorded expression are of it alone", {
  x <- prof(spend(0.2))
  expect_identical(names(prof_sum(x)), c("function", "self", "self_pct", "total", "total_pct"))
})

test_that("the source is kept", {
  folder <- tempfile()
  dir.create(folder)
  file <- file.path(folder, "code.R")
  writeLines(c("walk <- function() {", "  until <- proc.time()[[1]] + 0.5",
               "  while (proc.time()[[1]] < until) sqrt(runif(1e3))", "}"), file)
  source(file, local = TRUE, keep.source = TRUE)
  x <- prof(walk(), memory = FALSE)
  unlink(folder, recursive = TRUE)
  lines <- prof_lines(x, "code.R")
  expect_identical(lines$text[2], "  until <- proc.time()[[1]] + 0.5")
  expect_gt(lines$total[3], 0)
  expect_gt(prof_lines(prof_filter(x, focus = "walk"), "code.R")$total[3], 0)
})

test_that("typed code has lines", {
  walk <- eval(parse(text = c("function() {", "  until <- proc.time()[[1]] + 0.3",
                              "  while (proc.time()[[1]] < until) sqrt(runif(1e3))", "}"), keep.source = TRUE))
  typed <- attr(attr(walk, "srcref"), "srcfile")
  typed$filename <- "" # as the console has it
  lines <- prof_lines(prof(walk(), memory = FALSE))
  expect_identical(lines$file[1], "walk (typed)")
  expect_identical(lines$text[2], "  until <- proc.time()[[1]] + 0.3")
  expect_gt(lines$total[3], 0)
  expect_identical(typed$filename, "")
})

test_that("the verdict is in words", {
  runs <- function(...) lapply(c(...), function(ms)
    read_profile(rprof_file(rep("\"f\" ", ms), header = "sample.interval=1000")))
  old <- runs(100, 101, 102)
  new <- runs(150, 151, 152)
  slower <- prof_diff(old, new)
  p <- t.test(150:152, 100:102, var.equal = TRUE)$p.value
  expect_output(print(slower), paste0("new is 50 % slower than old (p = ", format(p, digits = 2),
                                      "; 3 runs on each side)"), fixed = TRUE)
  expect_output(print(prof_diff(new, old)), "new is 33 % faster than old", fixed = TRUE)
  # values of a part are in the unit that is said
  part <- utils::capture.output(print(utils::head(slower[c("base", "new")], 1)))
  expect_match(part[1], " in nanoseconds, ")
  expect_match(part[3], "[0-9]{8}")
  same <- runs(98, 105, 103)
  error <- sqrt((var(100:102) + var(c(98, 105, 103))) / 3)
  least <- (qt(0.975, 4) + qt(0.8, 4)) * error / 101 * 100
  expect_output(print(prof_diff(old, same)), paste0("no difference was found .*; a change of ",
                                                    format(least, digits = 2), " % would have been"))
  expect_error(prof_diff(old[1:2], same[1:2]), "makes a profile: put that in a variable")
  expect_output(print(prof_diff(old[1:2], same)), "nothing is proved by 2 and 3 runs")
})

test_that("prof_diff() alternates runs and says the verdict", {
  order <- character()
  suppressWarnings(table <- prof_diff({ order <- c(order, "old"); spend(0.3) }, { order <- c(order, "new"); spend(0.9) },
                                    reps = 3, times = 1))
  expect_identical(order, c("old", "old", "new", "new", "old", "new", "new", "old", "old", "new"))
  expect_identical(c(attr(table, "base_runs"), attr(table, "new_runs")), c(3L, 3L))
  expect_gt(attr(table, "all_new"), attr(table, "all"))
  expect_output(print(table), "3 runs of base, 3 runs of new")
})

test_that("prof_diff() compares files and objects", {
  old <- rprof_file(rep("\"f\" ", 100))
  new <- rprof_file(rep("\"f\" ", 50), rep("\"g\" ", 100))
  of_files <- prof_diff(old, new)
  expect_equal(of_files$delta[of_files$"function" == "g"], 1e9)
  of_objects <- prof_diff(read_profile(old), read_profile(new))
  expect_equal(as.data.frame(of_objects)$delta, as.data.frame(of_files)$delta)
})

test_that("runs have enough samples, in bounded time", {
  expect_identical(evaluations(c(1e-3, 1e-3), 0.005), 100)
  expect_identical(evaluations(c(1, 1), 0.005), 1)
  expect_identical(evaluations(c(1, 1e-4), 0.005), 2)
})
