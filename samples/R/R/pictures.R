# Pictures that the tools draw, and where R users see them.

prof_flame <- function(x, file = NULL, new = NULL, type = NULL, title = NULL, rules = NULL,
                       options = character()) {
  args <- c(option("type", type), option("title", picture_title(x, title)), rule_options(rules),
            options, lasting_inputs(x), if (!is.null(new)) c("--", lasting_inputs(new)))
  picture("profflame", args, file, list(x, new), if (is.null(new) && has_lines(x)) source_options(x))
}

prof_plot <- function(x, kind = c("all", "nodes", "stacks", "stack-nodes", "events", "depth", "memory"),
                      file = NULL, type = NULL, title = NULL, rules = NULL, options = character()) {
  kind <- match.arg(kind)
  args <- c(option("kind", kind), option("type", type), option("title", picture_title(x, title)),
            rule_options(rules), options, lasting_inputs(x))
  picture("profplot", args, file, list(x))
}

# What is still there when a picture is drawn, in whatever folder.
lasting_inputs <- function(x) {
  if (inherits(x, "profpipe_profile")) object_database(x)$path
  else normalizePath(inputs(x), mustWork = FALSE)
}

picture_title <- function(x, title) {
  if (is.null(title) && inherits(x, "profpipe_profile")) paste(unique(source_names(x)), collapse = ", ")
  else title
}

# A picture is drawn when it is seen. `profiles` keeps the databases that `args` name.
picture <- function(tool, args, file, profiles, source = NULL) {
  if (is.null(file)) return(structure(class = "profpipe_picture", list(
    tool = tool, args = args, of = lasting_inputs(profiles[[1]]), source = source,
    profiles = profiles)))
  run_tool(tool, c("-o", file_arguments(file), args))
  invisible(file)
}

draw <- function(picture, format) {
  file <- tempfile("picture-", fileext = paste0(".", format))
  run_tool(picture$tool, c(option("format", format), "-o", file, picture$args))
  file
}

# RStudio shows files below tempdir() in its Viewer; elsewhere a browser does.
print.profpipe_picture <- function(x, ...) {
  file <- page(x)
  viewer <- getOption("viewer")
  if (!is.null(viewer)) viewer(file)
  else if (interactive()) utils::browseURL(file)
  else cat("A picture is in ", file, "\n", sep = "")
  invisible(x)
}

# A flame graph has the source lines beside it, where they are known.
page <- function(picture) {
  graph <- draw(picture, "html")
  if (is.null(picture$source)) return(graph)
  list <- tempfile("list-", fileext = ".html")
  run_tool("profsum", c("-q", "--list=.", "--format=html", picture$source, "-o", list, picture$of))
  both <- tempfile("page-", fileext = ".html")
  frame <- "<iframe src=\"%s\" style=\"width: 49.5%%; height: 97vh; border: 0\"></iframe>"
  writeLines(c("<!DOCTYPE html>", "<meta charset=\"utf-8\">", "<title>Flame graph and source</title>",
               sprintf(frame, basename(c(list, graph)))), both)
  both
}

# Inline SVG in knitr's HTML, and Quarto's has the page in a frame. Documents of other kinds get a file,
# where something converts SVG; else a flame graph of text.
knit_print.profpipe_picture <- function(x, ...) {
  if (knitr::is_html_output() && !is.null(knitr::opts_knit$get("quarto.version")))
    return(knitr::knit_print(as.tags.profpipe_picture(x)))
  if (knitr::is_html_output()) {
    if (x$tool == "profflame") x$args <- c("--standalone=no", x$args)
    svg <- sub("^<[?]xml[^>]*>\\s*", "", read_text(draw(x, "svg")))
    return(knitr::asis_output(paste0("\n```{=html}\n", svg, "\n```\n")))
  }
  svg <- draw(x, "svg")
  # the sum keeps pictures of one chunk apart
  ending <- paste0("-", tools::md5sum(svg), if (knitr::is_latex_output()) ".pdf" else ".png")
  file <- converted(svg, knitr::fig_path(ending))
  if (!is.null(file)) return(knitr::knit_print(knitr::include_graphics(file)))
  if (x$tool != "profflame") profpipe_stop(
    "prof_plot() needs something that converts SVG for this kind of document: ",
    "install the package rsvg, or the program rsvg-convert of Debian's librsvg2-bin")
  text <- run_tool(x$tool, c("--format=text", "--width=80", x$args))
  knitr::asis_output(paste(c("", "```", text, "```", ""), collapse = "\n"))
}

# The file, a PDF or PNG by its name, or NULL where nothing makes it.
converted <- function(svg, file) {
  format <- tools::file_ext(file)
  program <- Sys.which("rsvg-convert")
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
  if (requireNamespace("rsvg", quietly = TRUE))
    getExportedValue("rsvg", paste0("rsvg_", format))(svg, file)
  else if (nzchar(program))
    system2(program, shQuote(c("-f", format, "-o", file, svg)))
  if (file.exists(file)) file
}

# In Shiny's renderUI() and in what htmltools saves: a frame, so that styles do not meet.
as.tags.profpipe_picture <- function(x, ...) {
  htmltools::tags$iframe(srcdoc = read_text(draw(x, "html")), width = "100%", height = "600",
                         style = "border: 0")
}

# --- R's own graphics ---

# A flame graph as boxes: each node from `left` to `right`, children by name inside of their parent.
flame_boxes <- function(x, type = NULL, min_share = 0.001) {
  weight <- sample_weights(x, type)
  frames <- label_frames(x, "hide", 1)
  parent <- frames$parent
  name <- ifelse(is.na(frames$name), "<toplevel>", substr(frames$name, 2, nchar(frames$name) - 1))
  node <- match(x$samples$node_id, x$nodes$node_id)
  width <- add_up(parent, sum_at(node, weight$value, length(parent))) / weight$per_second
  level <- levels_of(parent)
  left <- numeric(length(parent))
  for (here in seq_len(max(0L, level))) {
    at <- which(level == here)
    at <- at[order(parent[at], name[at])]
    family <- if (here == 1) rep(0L, length(at)) else parent[at]
    before <- stats::ave(width[at], family, FUN = function(width) cumsum(width) - width)
    left[at] <- before + if (here == 1) 0 else left[parent[at]]
  }
  boxes <- data.frame(name = name, level = level, left = left, right = left + width)
  boxes[width >= min_share * sum(width[level == 1]), ]
}

box_colors <- function(name) {
  grDevices::hcl.colors(12, "YlOrRd")[5 + vapply(name, function(name) sum(utf8ToInt(name)) %% 8, 0)]
}

plot.profpipe_profile <- function(x, type = NULL, ...) {
  boxes <- flame_boxes(x, type)
  unit <- if (is.na(sample_weights(x, type)$interval)) "value" else "seconds"
  graphics::plot(NULL, xlim = c(0, max(boxes$right)), ylim = c(0, max(boxes$level)),
                 xlab = unit, ylab = "frames", xaxs = "i", yaxs = "i", bty = "n", ...)
  graphics::rect(boxes$left, boxes$level - 1, boxes$right, boxes$level,
                 col = box_colors(boxes$name), border = "white")
  fits <- graphics::strwidth(boxes$name, cex = 0.7) < boxes$right - boxes$left
  graphics::text(((boxes$left + boxes$right) / 2)[fits], boxes$level[fits] - 0.5, boxes$name[fits], cex = 0.7)
  invisible(x)
}

autoplot.profpipe_profile <- function(object, type = NULL, ...) {
  boxes <- flame_boxes(object, type)
  boxes$fill <- box_colors(boxes$name)
  wide <- boxes[boxes$right - boxes$left > 0.03 * max(boxes$right), ]
  left <- right <- level <- name <- fill <- NULL # columns, for R CMD check
  ggplot2::ggplot(boxes) +
    ggplot2::geom_rect(ggplot2::aes(xmin = left, xmax = right, ymin = level - 1, ymax = level, fill = fill),
                       colour = "white") +
    ggplot2::geom_text(ggplot2::aes(x = (left + right) / 2, y = level - 0.5, label = name), wide,
                       size = 2.5, check_overlap = TRUE) +
    ggplot2::scale_fill_identity() +
    ggplot2::labs(x = NULL, y = "frames")
}
