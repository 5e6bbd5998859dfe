some <- function() read_profile(rprof_file("\"g\" \"f\" ", "\"f\" ", "\"h\" "))

test_that("pictures are written by the name of their file", {
  for (ending in c(".svg", ".html")) {
    file <- tempfile(fileext = ending)
    expect_identical(prof_flame(some(), file), file)
    expect_match(paste(readLines(file), collapse = "\n"), "<svg|<!DOCTYPE html>")
  }
  file <- prof_plot(some(), "events", tempfile(fileext = ".svg"))
  expect_true(file.exists(file))
  prof_flame(some(), file, new = some())
  expect_error(prof_plot(some(), "nonsense"), "should be one of")
})

test_that("a picture is shown in the viewer, below tempdir()", {
  seen <- NULL
  old <- options(viewer = function(file) seen <<- file)
  on.exit(options(old))
  print(prof_flame(some()))
  expect_true(startsWith(normalizePath(seen), normalizePath(tempdir())))
  print(prof_flame(read_profile(sample_file("rprof/lines.out"))))
  frames <- regmatches(readLines(seen), regexpr("src=\"[^\"]+", readLines(seen)))
  expect_length(frames, 2)
  expect_true(all(file.exists(file.path(dirname(seen), sub("src=\"", "", frames)))))
})

test_that("a picture keeps the database that it is drawn from", {
  picture <- prof_flame(some())
  gc()
  expect_true(file.exists(page(picture)))
})

test_that("knitr gets inline SVG, a file, or text", {
  skip_if_not_installed("knitr")
  picture <- prof_flame(some())
  tools <- dirname(find_tool("profflame"))
  path <- Sys.getenv("PATH")
  was <- setwd(tempdir())
  on.exit({
    setwd(was)
    Sys.setenv(PATH = path)
  })
  converter <- tempfile("bin-")
  dir.create(converter)
  if (!requireNamespace("rsvg", quietly = TRUE)) {
    Sys.setenv(PATH = paste(tools, converter, sep = ":")) # without a converter
    file.symlink(Sys.which("sh"), converter)
    expect_match(knitr::knit_print(picture), "```\n.*▏f")
    expect_error(knitr::knit_print(prof_plot(some())), "install the package rsvg", class = "profpipe_error")
    writeLines(c("#!/bin/sh", "echo \"$2\" >\"$4\""), file.path(converter, "rsvg-convert"))
    Sys.chmod(file.path(converter, "rsvg-convert"), "755")
  }
  file_of <- function(picture) format(knitr::knit_print(picture))
  expect_match(file_of(prof_plot(some())), "[.]png")
  expect_false(file_of(prof_plot(some())) == file_of(prof_plot(some(), "nodes")))
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  knitr::opts_knit$set(rmarkdown.pandoc.to = "html")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old), add = TRUE)
  expect_match(knitr::knit_print(picture), "```{=html}\n<svg ", fixed = TRUE)
  skip_if_not_installed("htmltools")
  knitr::opts_knit$set(quarto.version = numeric_version("1.4"))
  on.exit(knitr::opts_knit$set(quarto.version = NULL), add = TRUE)
  expect_match(knitr::knit_print(picture), "<iframe srcdoc=", fixed = TRUE)
})

test_that("Shiny gets a frame", {
  skip_if_not_installed("htmltools")
  expect_match(as.character(htmltools::as.tags(prof_flame(some()))), "^<iframe srcdoc=")
})

test_that("R's own graphics draw boxes", {
  boxes <- flame_boxes(some())
  expect_equal(boxes$right - boxes$left, c(f = 0.02, g = 0.01, h = 0.01)[boxes$name], ignore_attr = TRUE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(some()))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(some()), "ggplot")
})
