# Says where profsum and proftools differ about FILE, in seconds: nothing if they agree.  PROF is R/prof.R of that
# package, whose rules are: GC is no function, but a flag of the sample, and a sample of GC alone is none.
# Rscript compare-proftools.R FILE PROF
args <- commandArgs(TRUE)
proftools <- new.env()
sys.source(args[2], proftools)
# Its functions are one for each line that they are called at, so there must be no lines. To ask for none, by
# srclines = FALSE, makes it count self once for each frame of the stack.
data <- proftools$stripRefs(proftools$readProfileData(args[1]))
seconds <- data$interval / 1e6

ours <- function(view) {
    x <- read.delim(pipe(paste0("proffilter -q --hide='^<GC>$' ", shQuote(args[1]), " | profsum -q --format=tsv ", view)),
                    quote = "", comment.char = "")
    stopifnot(x$unit == "nanoseconds")
    x$self <- x$self / 1e9
    x$total <- x$total / 1e9
    about <- x[[intersect(c("function.", "caller", "stack"), names(x))]]
    x[about != "<no location>", ]
}

compare <- function(what, theirs, names, values) {
    ours <- setNames(values, names)
    if (length(theirs) == 0 || !setequal(names(theirs), names(ours)))
        cat(what, ": other names\n")
    else if (any(abs(theirs - ours[names(theirs)]) > 1e-9))
        cat(what, "differs\n")
}

functions <- proftools$funSummary(data, value = "time")
of <- ours("")
compare("self", setNames(functions$self.time, functions$fun), of$function., of$self)
compare("total", setNames(functions$total.time, functions$fun), of$function., of$total)

calls <- proftools$callSummary(data, value = "time")
of <- ours("--calls")
calls <- calls[as.character(calls$caller) != as.character(calls$callee), ] # what calls itself is no call of ours
compare("calls", setNames(calls$total.time, paste(calls$caller, calls$callee)), paste(of$caller, of$callee), of$total)

paths <- proftools$hotPathData(data)
paths <- paths[paths$key != "??", ] # samples without functions
of <- ours("--hot-paths --max-depth=1000")
keys <- gsub(" -> ", ";", paths$key, fixed = TRUE)
compare("paths", setNames(paths$count * seconds, keys), of$stack, of$total)
compare("ends of paths", setNames(paths$self * seconds, keys), of$stack, of$self)
