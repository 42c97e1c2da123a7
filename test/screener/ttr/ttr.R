# The screener's numbers on the bundled bars, as R has them: TTR's where it has the indicator, plain R otherwise.
# From the top of the repository:
#
#   Rscript test/screener/ttr/ttr.R > test/screener/ttr/ttr.csv

suppressPackageStartupMessages(library(TTR))

files <- list(
  "^GSPC" = "node_modules/vega-datasets/data/sp500-2000.csv",
  "AAPL" = "node_modules/@observablehq/sample-datasets/aapl.csv"
)
# Rows of a file, counted from 1: those around which the first value of an indicator lies, and some later ones.
rows <- c(1, 2, 6, 14, 15, 16, 20, 21, 22, 50, 64, 127, 199, 200, 252, 253, 254, 400, 500, 777, 1000, 1259, 2600, 3651, 5105)

back <- function(x, n) c(rep(NA, n), head(x, -n))
pct <- function(x, base) (x / base - 1) * 100

first <- TRUE
for (symbol in names(files)) {
  bars <- read.csv(files[[symbol]])
  names(bars) <- c("date", "open", "high", "low", "close", "adjusted", "volume")
  close <- bars$close
  numbers <- data.frame(
    symbol = symbol, session = bars$date, close = close,
    change_pct = pct(close, back(close, 1)), gap_pct = pct(bars$open, back(close, 1)), volume = bars$volume,
    rel_volume = bars$volume / back(SMA(bars$volume, 20), 1),
    perf_5d = ROC(close, 5, "discrete") * 100, perf_21d = ROC(close, 21, "discrete") * 100,
    perf_63d = ROC(close, 63, "discrete") * 100, perf_126d = ROC(close, 126, "discrete") * 100,
    perf_252d = ROC(close, 252, "discrete") * 100,
    pct_from_52w_high = pct(close, runMax(bars$high, 252)), pct_from_52w_low = pct(close, runMin(bars$low, 252)),
    sma_20 = SMA(close, 20), sma_50 = SMA(close, 50), sma_200 = SMA(close, 200),
    rsi_14 = RSI(close, 14), atr_14 = ATR(bars[, c("high", "low", "close")], 14)[, "atr"]
  )
  chosen <- numbers[rows[rows <= nrow(bars)], ]
  chosen[, -(1:2)] <- lapply(chosen[, -(1:2)], function(x) ifelse(is.na(x), "", sprintf("%.17g", x)))
  write.table(chosen, sep = ",", quote = FALSE, row.names = FALSE, col.names = first)
  first <- FALSE
}
