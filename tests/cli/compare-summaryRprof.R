# Says where profsum and summaryRprof differ about FILE, in the C locale: nothing if they agree.
# Rscript compare-summaryRprof.R FILE hide|show
args <- commandArgs(TRUE)
theirs <- summaryRprof(args[1], lines = args[2])
digits <- if (theirs$sample.interval < 0.01) 3 else 2
for (order in c("self", "total")) {
    command <- paste0("profsum -q --format=tsv --sort=", order,
                      if (args[2] == "show") " --by=line", " ", args[1])
    ours <- read.delim(pipe(command), quote = "", comment.char = "", stringsAsFactors = FALSE)
    if (args[2] == "show")
        ours$name <- ifelse(is.na(ours$line), ours$function.,
                            paste0(basename(ifelse(is.na(ours$file), "", ours$file)), "#", ours$line))
    else
        ours$name <- ours$function.
    for (column in c("self", "total")) { # in seconds, as R has them
        stopifnot(ours$unit == "nanoseconds")
        ours[[column]] <- ours[[column]] / 1e9
    }
    table <- theirs[[paste0("by.", order)]]
    if (order == "self") # R leaves out what rounds to 0
        ours <- ours[round(ours$self, digits) > 0, ]
    if (!identical(ours$name, gsub('"', "", rownames(table), fixed = TRUE))) {
        cat(order, ": other names\n")
        next
    }
    figures <- list(self.time = round(ours$self, digits), total.time = round(ours$total, digits),
                    self.pct = round(ours$self_pct, 2), total.pct = round(ours$total_pct, 2))
    for (column in names(figures)) # of what lies between two roundings either is right
        if (any(abs(figures[[column]] - table[[column]]) > 0.0101 * (column %in% c("self.pct", "total.pct")) + 1e-9))
            cat(order, ":", column, "differs\n")
}
