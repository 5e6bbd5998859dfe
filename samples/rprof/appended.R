# Three runs in one file, each with its own header: other flags, another
# interval, and file numbers that start at 1 again with another file.

options(keep.source = TRUE)
set.seed(6)

Rprof("appended.out", interval = 0.02)
m <- matrix(rnorm(4e5), 400)
for (i in 1:5) s <- svd(crossprod(m[, 1:250]))
Rprof(NULL)

Rprof("appended.out", append = TRUE, line.profiling = TRUE, interval = 0.01)
source("lines-simulate.R")
d <- simulate_days(800)
source("lines-fit.R")
r <- fit_days(d)
Rprof(NULL)

Rprof("appended.out", append = TRUE, memory.profiling = TRUE,
      gc.profiling = TRUE, line.profiling = TRUE, interval = 0.005)
source("lines-fit.R")
r <- fit_days(d)
source("lines-simulate.R")
d <- simulate_days(300)
Rprof(NULL)
