# A script in Latin-1, run by an R whose locale has single bytes.

`médian` <- function(x) sort(x)[length(x) / 2]
`größte Zahl` <- function(x) max(x, `médian`(x))
`niño` <- function(n) `größte Zahl`(runif(n))

set.seed(7)
Rprof("latin1.out", interval = 0.005)
for (i in 1:10) `niño`(2e5)
Rprof(NULL)
