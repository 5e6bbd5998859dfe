# What this session knows of a profile: the packages of functions, and frames that only carry others.

# One rule for each package: its functions in the profile are of that group.
prof_rules <- function(x) {
  name <- if (inherits(x, "profpipe_profile")) unique(x$functions$name) else unique(x)
  package <- packages_of(name)
  known <- split(name[!is.na(package)], package[!is.na(package)])
  data.frame(pattern = sprintf("name:%s", vapply(known, one_of, "")), group = as.character(names(known)),
             row.names = NULL)
}

# A function's package: what a user would get by its name, or else any loaded package that has it.
# A function of one name may be another's, such as a local one: a profile has no more than names.
packages_of <- function(name) {
  package <- ifelse(grepl("^[[:alnum:].]+:::?.", name), sub(":.*", "", name), NA)
  package[name == "<GC>"] <- "GC"
  attached <- grep("^package:", search(), value = TRUE)
  places <- c(list(.GlobalEnv = globalenv()),
              lapply(stats::setNames(attached, sub("package:", "", attached)), as.environment),
              sapply(loadedNamespaces(), asNamespace, simplify = FALSE))
  for (place in names(places)) {
    search <- which(is.na(package))
    has <- vapply(name[search], exists, NA, envir = places[[place]], inherits = FALSE, mode = "function")
    package[search[has]] <- place
  }
  package
}

# Functions that only call what a user wrote.
scaffolding <- c(
  "tryCatch", "tryCatchList", "tryCatchOne", "doTryCatch", "try", "withCallingHandlers",
  "suppressWarnings", "suppressMessages", "withVisible", "eval", "evalq", "eval.parent", "local",
  "do.call", "source", "sys.source",
  "withRestarts", "withRestartList", "withOneRestart", "doWithOneRestart", "with_handlers",
  # knitr, rmarkdown and evaluate
  "knit", "knit2html", "process_file", "process_group", "process_group.block", "call_block",
  "block_exec", "eng_r", "in_input_dir", "in_dir", "evaluate", "evaluate::evaluate", "evaluate_call",
  "evaluate_top_level_expression", "handle", "timing_fn", "render", "rmarkdown::render", "knitr::knit",
  # Shiny and promises
  "..stacktraceon..", "..stacktraceoff..", "..stacktracefloor..", "runApp", "shiny::runApp", "service",
  "serviceApp", "withReactiveDomain", "with_promise_domain", "domain$wrapSync", "promise_domain$wrapSync",
  "captureStackTraces", "withLogErrors", "isolate", "contextFunc", "env$runWith", "ctx$run", "run",
  "self$.updateValue", "flushReact", "ctx$executeFlushCallbacks", "wrapped", "hybrid_chain", "force")

# Takes frames away that only carry others, and those that Shiny hides from users: from each
# ..stacktraceoff.. to the next ..stacktraceon.. inside of it.
prof_tidy <- function(x, hide = NULL) {
  need_profile(x)
  if (is.null(hide)) hide <- scaffolding
  location <- match(x$nodes$location_id, x$locations$location_id)
  name <- x$functions$name[match(x$locations$function_id[location], x$functions$function_id)]
  parent <- match(x$nodes$parent_id, x$nodes$node_id)
  switched <- ifelse(name %in% c("..stacktraceoff..", "..stacktraceon.."), name, NA)
  off <- inner_label(parent, list(switched)) %in% "..stacktraceoff.."
  shown <- ifelse(off | name %in% hide, NA, x$nodes$node_id)
  outer <- inner_label(parent, list(shown))
  tables <- object_tables(x)
  tables$samples$node_id <- outer[match(tables$samples$node_id, tables$nodes$node_id)]
  tables$nodes$parent_id <- outer[parent]
  new_object(without_unused(tables))
}
