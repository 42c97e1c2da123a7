# CPU seconds of R's forecast package per series: reads lines of the accuracy files, prints method;seconds.
suppressMessages(library(forecast))
args <- commandArgs(TRUE)
lines <- strsplit(readLines(args[1]), ";")
methods <- list(ets = ets, theta = function(y, h) thetaf(y, h = h), arima = auto.arima)
for (name in names(methods)) {
  used <- 0
  for (p in lines) {
    y <- ts(as.numeric(strsplit(p[5], ",")[[1]]), frequency = as.integer(p[3]))
    h <- as.integer(p[4])
    before <- proc.time()
    tryCatch(if (name == "theta") methods[[name]](y, h) else forecast(methods[[name]](y), h = h), error = function(e) NULL)
    used <- used + sum((proc.time() - before)[1:2])
  }
  cat(name, used / length(lines), sep = ";")
  cat("\n")
}
