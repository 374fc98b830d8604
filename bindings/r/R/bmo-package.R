.onUnload <- function(libpath) {
  library.dynam.unload("bmo", libpath)
}
