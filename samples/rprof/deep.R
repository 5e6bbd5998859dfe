# Recursion so deep that R stops each line at 10,000 bytes. The way down is
# sampled too, so there are whole stacks before the cut ones.

options(keep.source = TRUE, expressions = 50000)
source("deep-tree.R")

set.seed(8)
Rprof("deep.out", interval = 0.02)
depth <- descend_to_the_left(550)
Rprof(NULL)

Rprof("deep.out", append = TRUE, line.profiling = TRUE, interval = 0.02)
depth <- descend_to_the_right(550)
Rprof(NULL)
