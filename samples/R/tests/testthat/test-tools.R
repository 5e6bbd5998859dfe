test_that("a tool that is not there says how to get it", {
  local_options <- options(profpipe.path = NULL)
  path <- Sys.getenv(c("PATH", "PROFPIPE_PATH"), names = TRUE)
  on.exit({ options(local_options); do.call(Sys.setenv, as.list(path)) })
  Sys.setenv(PATH = "/nowhere", PROFPIPE_PATH = "")
  expect_error(find_tool("profsum"), "cannot find the program profsum.*apt install", class = "profpipe_error")
  Sys.setenv(PROFPIPE_PATH = "/nowhere/else")
  expect_error(find_tool("profsum"), "PROFPIPE_PATH says that it is in /nowhere/else")
  options(profpipe.path = "/another/place")
  expect_error(find_tool("profsum"), "option profpipe.path says that it is in /another/place")
})

test_that("what a tool says becomes conditions", {
  error <- expect_error(run_tool("profsum", "missing.out"), class = "profpipe_error")
  expect_match(conditionMessage(error), "profsum: cannot open missing.out")
  expect_identical(error$status, 3L)
  expect_error(run_tool("profsum", "--nope"), "unknown option --nope")
  torn <- rprof_file("\"f\" ")
  cat("\"g\" \"h", file = torn, append = TRUE)
  expect_warning(read_profile(torn), "torn", class = "profpipe_warning")
})

test_that("names of files need no quotes", {
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  for (name in c("-o", "a b.out", "it's", "$HOME.out", "\"x\"", "a;b", "ä.out")) {
    rprof_file("\"f\" ", file = name)
    expect_identical(nrow(read_profile(name)$samples), 1L)
    expect_identical(prof_sum(name)$"function", "f")
  }
})

test_that("cells of tables are what they were", {
  expect_identical(unescape(c("a\\tb", "a\\\\tb", "\\\\\\n", "x\\\\", NA)),
                   c("a\tb", "a\\tb", "\\\n", "x\\", NA))
  expect_identical(number_column(c("9223372036854775807", "1")), bit64::as.integer64(c("9223372036854775807", "1")))
  expect_identical(number_column(c(NA, "1.5")), c(NA, 1.5))
  x <- folded_profile("1;TRUE 3", "NA 1")
  expect_setequal(prof_sum(x)$"function", c("1", "TRUE", "NA"))
})
