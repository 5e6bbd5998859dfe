# Says where profdiff's figures and R's differ by more than 1e-9 about runs of two sides: nothing if they agree.
# Rscript compare-limma.R self|total share|cost BASE ... -- NEW ...
suppressMessages(library(limma))
args <- commandArgs(TRUE)
order <- args[1]; measure <- args[2]; files <- args[-(1:2)]
border <- which(files == "--")
sides <- list(files[seq_len(border - 1)], files[-seq_len(border)])
read <- function(command)
    read.delim(pipe(command), quote = "", comment.char = "", stringsAsFactors = FALSE)

# what each function had in each run, by profsum
tables <- lapply(unlist(sides), function(file) read(paste("profsum -q --format=tsv", file)))
names <- sort(unique(unlist(lapply(tables, `[[`, "function."))))
x <- sapply(tables, function(t) { v <- t[[order]][match(names, t$function.)]; ifelse(is.na(v), 0, v) })
N <- sapply(tables, function(t) sum(t$self))
k1 <- length(sides[[1]]); k2 <- length(sides[[2]]); d <- k1 + k2 - 2
new <- rep(c(FALSE, TRUE), c(k1, k2))

# the steps, as profdiff(1) has them
test <- function(x, N, shares) {
    value <- if (shares) sweep(x, 2, N, "/") else x
    means <- cbind(rowMeans(value[, !new, drop = FALSE]), rowMeans(value[, new, drop = FALSE]))
    s2 <- rowSums((value - means[, new + 1])^2) / d
    p <- rowSums(x) / sum(N)
    b <- if (shares) p * (1 - p) / mean(N) else rowMeans(x)
    fit <- suppressWarnings(squeezeVar(s2 / b, d))
    alone <- !shares & p >= 0.5
    df <- ifelse(alone, d, d + fit$df.prior)
    dispersion <- ifelse(alone, s2 / b, fit$var.post)
    error <- sqrt(dispersion * b * (1 / k1 + 1 / k2))
    delta <- means[, 2] - means[, 1]
    p <- 2 * pt(-abs(delta / error), df)
    data.frame(dispersion = dispersion, df = df, p = p, q = p.adjust(p, "BH"),
               holm = p.adjust(p, "holm"), low = delta - qt(0.975, df) * error,
               high = delta + qt(0.975, df) * error, min_change = (qt(0.975, df) + qt(0.8, df)) * error)
}
share <- rowSums(x) / sum(N)
tested <- share >= 0.005 & share < 1 | measure == "cost" & share == 1
theirs <- cbind(name = names[tested], test(x[tested, , drop = FALSE], N, measure == "share"))
if (measure == "share") # in points
    theirs[c("low", "high", "min_change")] <- 100 * theirs[c("low", "high", "min_change")]
whole <- test(rbind(N), N, FALSE)
ours <- read(paste0("profdiff -q --format=tsv --sort=", order, " --measure=", measure, " ",
                    paste(files, collapse = " ")))
if (!identical(sort(ours$function.[!is.na(ours$p)]), sort(theirs$name)))
    cat("other names are tested\n")
differ <- function(ours, theirs) {
    apart <- !(ours == theirs) & abs(ours - theirs) > 1e-9 * abs(theirs)
    anyNA(apart) || any(apart)
}
for (column in c("low", "high", "p")) # of whole runs, in each row
    if (differ(ours[[paste0("all_", column)]], whole[[column]]))
        cat("all", column, "differs\n")
if (differ(ours$all, mean(N[!new])) || differ(ours$all_new, mean(N[new])))
    cat("all differs\n")
ours <- ours[match(theirs$name, ours$function.), ]
ours$df[is.na(ours$df)] <- Inf # what has no end is empty
for (column in names(theirs)[-1])
    if (differ(ours[[column]], theirs[[column]]))
        cat(column, "differs\n")
