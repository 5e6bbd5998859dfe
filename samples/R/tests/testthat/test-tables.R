spin <- function() read_profile(rprof_file("\"g\" \"f\" ", "\"g\" \"f\" ", "\"f\" ", "\"h\" \"k\" "))

test_that("prof_sum has self and total", {
  table <- prof_sum(spin())
  expect_identical(table$"function", c("g", "f", "h", "k"))
  expect_equal(table$self, c(2, 1, 1, 0) * 1e7)
  expect_equal(attr(table, "all"), 4e7)
  expect_identical(attr(table, "unit"), "nanoseconds")
  expect_output(print(table), "cpu in seconds, 0.04 in all")
  expect_output(print(prof_sum(spin(), max_rows = 1)), "and 3 more rows")
  expect_identical(nrow(prof_sum(spin(), min_share = 50)), 2L)
  expect_identical(prof_sum(spin(), sort = "total")$"function"[1], "f")
  expect_error(prof_sum(1), "expected an object of read_profile")
})

test_that("a part of a table keeps its unit", {
  part <- prof_sum(spin(), max_rows = 3)[2:1, c("function", "self")]
  expect_s3_class(part, c("profpipe_table", "data.frame"), exact = TRUE)
  expect_identical(attr(part, "unit"), "nanoseconds")
  expect_output(print(part), "cpu in seconds, 0.04 in all\n function self\n f +0.01\n g +0.02$")
  expect_output(print(prof_hot_paths(spin())[c("stack", "self")]), "f;g")
  expect_identical(prof_sum(spin())[1, "function"], "g")
})

test_that("callers and paths are those of the stacks", {
  expect_identical(prof_callers(spin())$callee, c("g", "h"))
  peek <- prof_callers(spin(), "g")
  expect_identical(peek$relation, c("caller", "self"))
  expect_output(print(prof_hot_paths(spin())), "\n +f .*\n +g ")
})

test_that("rows of a deep tree fit on a line", {
  stack <- paste(c(paste0("function_", 1:15), strrep("x", 90)), collapse = ";")
  old <- options(width = 80)
  on.exit(options(old))
  printed <- capture.output(print(prof_hot_paths(folded_profile(paste(stack, "7")))))
  expect_length(printed, 18) # the head, names, and a line for each frame
  expect_lte(max(nchar(printed)), 80)
  expect_match(printed[18], "xxx[.]{3} 16 ")
})

test_that("names are no expressions", {
  x <- folded_profile("f.g;a(b)[ 1", "fxg 1")
  expect_identical(prof_callers(x, "f.g")$of, c("f.g", "f.g"))
  expect_identical(prof_callers(x, "a(b)[")$"function", c("f.g", "a(b)["))
})

test_that("filters are applied in order", {
  expect_identical(nrow(prof_filter(spin(), focus = "^f$")$samples), 3L)
  expect_identical(nrow(prof_filter(spin(), ignore = c("g", "h"))$samples), 1L)
  expect_setequal(prof_filter(spin(), trim_root = 1)$functions$name, c("g", "h"))
  expect_warning(none <- prof_filter(spin(), hide = "g", focus = "g"), "matches nothing")
  expect_identical(nrow(none$samples), 0L)
  expect_error(prof_filter(spin(), nonsense = 1), "unknown option --nonsense")
  expect_error(prof_filter(spin(), "f"), "expected? ?s? named steps|expects named steps")
})

test_that("lines stand beside their cost", {
  file <- sample_file("rprof/lines.out")
  lines <- prof_lines(read_profile(file), "lines-report.R")
  expect_match(lines$text[8], "for (i in 1:10)", fixed = TRUE)
  expect_equal(lines$total[8], 190000000)
  expect_identical(prof_lines(file), prof_lines(read_profile(file)))
  expect_error(prof_lines(spin()), "no lines: record them")
})

test_that("functions have the packages of this session", {
  x <- folded_profile("lm;lm.fit 2", "stats::sd;nobody_has_this 1", "<GC> 1", "paste 1")
  rules <- prof_rules(x)
  expect_setequal(rules$group, c("stats", "GC", "base"))
  table <- prof_sum(x, by = "package", rules = rules, sort = "total")
  expect_equal(table$total[table$package == "stats"], 3)
  expect_identical(prof_rules(c("lm", "a.b*"))$pattern, "name:^(lm)$")
})

test_that("a name that several packages have is what its caller means", {
  skip_if_not_installed("withr")
  loadNamespace("withr")
  group_of <- function(x, name) {
    rules <- prof_rules(x)
    rules$group[vapply(rules$pattern, function(pattern) grepl(sub("name:", "", pattern), name), NA)]
  }
  # another package has a function of that name, and is attached
  attached <- new.env()
  assign("with_dir", function() 1, attached)
  attach(attached, name = "package:other", warn.conflicts = FALSE)
  on.exit(detach("package:other"))
  expect_identical(group_of(folded_profile("main;with_dir 1"), "with_dir"), "other")
  expect_identical(group_of(folded_profile("with_envvar;with_dir 1"), "with_dir"), "withr")
  expect_identical(group_of(folded_profile("with_envvar;paste 1"), "paste"), "base")
})

test_that("scaffolding is hidden, and what Shiny hides", {
  x <- folded_profile("f;tryCatch;tryCatchList;g 1", "f;tryCatch 2",
                      "a;..stacktraceoff..;b;..stacktraceon..;c;..stacktraceoff..;d 4")
  expect_setequal(prof_tidy(folded_profile("shiny:::flushReact;f 1"))$functions$name, "f")
  tidy <- prof_tidy(x)
  stacks <- tapply(tidy$samples[[tidy$value_types$column[1]]],
                   vapply(as.data.frame(tidy)$stack, paste, "", collapse = ";"), sum)
  expect_identical(c(stacks), c("a;c" = 4, f = 2, "f;g" = 1))
})
