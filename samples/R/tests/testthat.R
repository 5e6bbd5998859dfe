library(testthat)
library(profpipe)
test_check("profpipe")
