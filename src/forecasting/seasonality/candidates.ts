/**
 * Seasons that a frequency may have, in periods, longest meaning first to try. Market data of a minute have sessions of
 * many lengths, so only what the clock gives is listed.
 */
const CANDIDATES: Readonly<Record<string, readonly number[]>> = {
  '1min': [60, 1440],
  '5min': [12, 288],
  '15min': [4, 96, 672],
  '30min': [48, 336],
  '1h': [24, 168],
  '4h': [6, 42],
  '1D': [7, 365],
  '1W': [52],
  '1MS': [12],
  '1ME': [12],
  '1QS': [4],
  '1QE': [4],
  '1YE': [],
  '1YS': [],
};

/** The seasons worth looking for; none for a frequency without one, or an unknown one. */
export function seasonCandidates(frequency: string): readonly number[] {
  return CANDIDATES[frequency] ?? [];
}
