# A small analysis over three files, profiled by line. The report is a promise:
# R evaluates it at top level, outside of any function, so its samples end in a
# position (`3#8 `) that no name follows, and some hold nothing else.

options(keep.source = TRUE)
set.seed(2)

Rprof("lines.out", line.profiling = TRUE, interval = 0.005)
source("lines-simulate.R")
source("lines-fit.R")
do.call(delayedAssign, list("report", parse("lines-report.R")[[1]]))
d <- simulate_days(400)
r <- fit_days(d)
report
Rprof(NULL)
