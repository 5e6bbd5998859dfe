# All three flags at once: memory numbers, <GC> and line positions.

options(keep.source = TRUE)
set.seed(5)

Rprof("everything.out", memory.profiling = TRUE, gc.profiling = TRUE,
      line.profiling = TRUE, interval = 0.005)
source("everything-words.R")
text <- make_text(40000)
seen <- count_words(text)
pairs <- pair_words(text)
Rprof(NULL)
