# Finding the tools of profpipe, and running them.

# Folders that may have the tools, named by where each comes from. A folder that the user names is
# the only one: another version must not take its place unseen.
tool_folders <- function() {
  named <- c("option profpipe.path" = getOption("profpipe.path"),
             "environment variable PROFPIPE_PATH" = Sys.getenv("PROFPIPE_PATH", NA))
  named <- named[!is.na(named) & nzchar(named)]
  if (length(named) > 0) return(named[1])
  c(strsplit(Sys.getenv("PATH"), .Platform$path.sep, fixed = TRUE)[[1]],
    system.file("bin", package = "profpipe"))
}

find_tool <- function(tool) {
  folders <- tool_folders()
  candidates <- file.path(path.expand(folders), tool)
  found <- candidates[file.access(candidates, 1) == 0 & !dir.exists(candidates)]
  if (length(found) > 0) return(found[1])
  where <- names(folders)[1]
  advice <- if (.Platform$OS.type == "windows")
      "The tools do not run on Windows itself: run R and them in WSL (wsl --install)."
    else if (length(where) == 1)
      paste0("The ", where, " says that it is in ", folders[1], ".")
    else paste0(
      "Install the tools of profpipe, such as by 'apt install ./profpipe_*_amd64.deb', ",
      "or name their folder: options(profpipe.path = \"folder\").")
  profpipe_stop("cannot find the program ", tool, ". ", advice, tool = tool)
}

profpipe_stop <- function(..., tool = NULL, status = NULL) {
  stop(structure(class = c("profpipe_error", "error", "condition"),
                 list(message = paste0(...), call = NULL, tool = tool, status = status)))
}

profpipe_warn <- function(...) {
  warning(structure(class = c("profpipe_warning", "warning", "condition"),
                    list(message = paste0(...), call = NULL)))
}

# Names of files as arguments of a tool, which must not be taken for options.
file_arguments <- function(files) {
  files <- enc2native(path.expand(files))
  ifelse(startsWith(files, "-"), paste0("./", files), files)
}

# All text of a file, which is UTF-8 whatever the locale is.
read_text <- function(file) {
  text <- rawToChar(readBin(file, "raw", file.size(file)))
  Encoding(text) <- "UTF-8"
  text
}

read_lines <- function(file) readLines(file, encoding = "UTF-8", warn = FALSE)

# Runs a tool. `input` and `output` are files; without `output`, its lines are returned. What the
# tool says becomes a warning, or an error if it fails.
run_tool <- function(tool, args = character(), input = NULL, output = NULL) {
  program <- find_tool(tool)
  messages <- tempfile("messages-")
  on.exit(unlink(messages))
  lines <- is.null(output)
  if (lines) {
    output <- tempfile("output-")
    on.exit(unlink(output), add = TRUE)
  }
  # system2() quotes all but the arguments
  status <- system2(program, shQuote(args), stdin = if (is.null(input)) "" else path.expand(input),
                    stdout = path.expand(output), stderr = messages)
  said <- if (file.exists(messages)) read_lines(messages)
  if (status != 0) {
    reason <- if (length(said) > 0) paste(said, collapse = "\n")
      else paste0(tool, " ended with status ", status)
    profpipe_stop(reason, tool = tool, status = status)
  }
  for (line in said) profpipe_warn(line)
  if (lines) read_lines(output) else invisible(output)
}

# The table that a tool writes with --format=tsv, as a data frame.
run_table <- function(tool, args) {
  file <- tempfile("table-")
  on.exit(unlink(file))
  run_tool(tool, c("--format=tsv", args), output = file)
  read_table(file)
}

# Columns of tables that are text even if all their cells look like numbers; profcolumns(5) lists them.
text_columns <- c(
  "function", "group", "package", "file", "source", "stack", "leaf", "leaf_file", "caller", "callee",
  "address", "mapping", "text", "type", "unit", "mark", "beside", "was", "compared", "measure")

# Cells are never quoted. What is not known is empty.
read_table <- function(file) {
  lines <- read_lines(file)
  header <- strsplit(lines[1], "\t", fixed = TRUE)[[1]]
  if (length(lines) == 1) return(empty_table(header))
  table <- utils::read.delim(text = lines[-1], header = FALSE, col.names = header, check.names = FALSE,
                             quote = "", comment.char = "", na.strings = "", colClasses = "character",
                             encoding = "UTF-8")
  is_text <- header %in% text_columns | startsWith(header, "label.")
  table[is_text] <- lapply(table[is_text], unescape)
  table[!is_text] <- lapply(table[!is_text], number_column)
  table
}

empty_table <- function(header) {
  columns <- rep(list(numeric()), length(header))
  columns[header %in% text_columns] <- list(character())
  as.data.frame(stats::setNames(columns, header), optional = TRUE)
}

# Undoes what tsv does to a backslash, a tab and the end of a line.
unescape <- function(text) {
  odd <- which(grepl("\\", text, fixed = TRUE))
  if (length(odd) == 0) return(text)
  parts <- strsplit(text[odd], "\\\\", fixed = TRUE) # at each backslash that stands for itself
  ends <- endsWith(text[odd], "\\\\")
  text[odd] <- mapply(function(part, ends) {
    for (letter in c("t", "n", "r"))
      part <- gsub(paste0("\\", letter), c(t = "\t", n = "\n", r = "\r")[[letter]], part, fixed = TRUE)
    paste0(paste(part, collapse = "\\"), if (ends) "\\")
  }, parts, ends)
  text
}

# Integers that doubles would round become integer64; what is no number stays text.
number_column <- function(text) {
  long <- grepl("^-?[0-9]{16,19}$", text)
  if (any(long) && all(is.na(text) | grepl("^-?[0-9]+$", text)))
    return(exact_numbers(bit64::as.integer64(text)))
  if (all(is.na(text))) as.numeric(text) else utils::type.convert(text, as.is = TRUE)
}

# integer64 only where doubles are not exact.
exact_numbers <- function(column) {
  if (!bit64::is.integer64(column)) return(column)
  beyond <- any(column > 2^53, na.rm = TRUE) || any(column < -2^53, na.rm = TRUE)
  if (beyond) column else as.double(column)
}
