# usage: Rscript help.R MAN FOLDER
# A page of HTML in FOLDER for each file of MAN, whose links lead to each other.
Sys.setenv("_R_HELP_ENABLE_ENHANCED_HTML_" = "false")
places <- commandArgs(TRUE)
files <- list.files(places[1], "[.]Rd$", full.names = TRUE)
names <- sub("[.]Rd$", "", basename(files))
pages <- lapply(files, tools::parse_Rd)

aliases <- function(page) {
  tags <- vapply(page, attr, "", "Rd_tag")
  trimws(vapply(page[tags == "\\alias"], function(alias) paste(unlist(alias), collapse = ""), ""))
}
known <- lapply(pages, aliases)
links <- setNames(rep(paste0(names, ".html"), lengths(known)), unlist(known))
for (i in seq_along(pages)) {
  suppressWarnings(tools::Rd2HTML(pages[[i]], file.path(places[2], paste0(names[i], ".html")), package = "bmo",
                                  Links = links, Links2 = character()))
}
