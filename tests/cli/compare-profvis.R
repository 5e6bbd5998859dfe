# Says where profsum and profvis differ about FILE, in seconds: nothing if they agree.  FOLDER has the scripts, whose
# lines profvis shows where it can read them.
# Rscript compare-profvis.R FILE FOLDER
args <- commandArgs(TRUE)
file <- normalizePath(args[1])

# The rows of its flame graph: one for each frame of each sample, the innermost one deepest.
rows_in <- function(folder) {
    old <- setwd(folder)
    on.exit(setwd(old))
    profvis::profvis(prof_input = file)$x$message
}

# In how many samples each key stands, in seconds.
seconds <- function(message, rows, key) {
    found <- unique(data.frame(time = rows$time, key = key))
    tapply(found$time, found$key, length) * message$interval / 1000
}

ours <- function(by) {
    x <- read.delim(pipe(paste0("profsum -q --format=tsv --by=", by, " ", shQuote(file))),
                    quote = "", comment.char = "")
    stopifnot(x$unit == "nanoseconds")
    x$self <- x$self / 1e9
    x$total <- x$total / 1e9
    x$name <- if (by == "line") paste0(basename(ifelse(is.na(x$file), "", x$file)), "#", x$line) else x$function.
    x[x$function. != "<no location>", ]
}

compare <- function(what, theirs, names, values) {
    ours <- setNames(values, names)[values != 0]
    if (length(theirs) == 0 || !setequal(names(theirs), names(ours)))
        cat(what, ": other names\n")
    else if (any(abs(theirs - ours[names(theirs)]) > 1e-9))
        cat(what, "differs\n")
}

plain <- rows_in(tempdir()) # with the scripts at hand lines are further frames
by <- ours("function")
innermost <- plain$prof[plain$prof$depth == ave(plain$prof$depth, plain$prof$time, FUN = max), ]
compare("self", seconds(plain, innermost, innermost$label), by$name, by$self)
compare("total", seconds(plain, plain$prof, plain$prof$label), by$name, by$total)

message <- rows_in(args[2])
lines <- message$prof[!is.na(message$prof$linenum), ]
if (nrow(lines) > 0) {
    by <- ours("line")
    compare("lines", seconds(message, lines, paste0(basename(lines$filename), "#", lines$linenum)),
            by$name, by$total)
}
