const ROWS_OF_A_CREDIT = 1_000;

/** The fit that is measured on rows it has not seen, and the one that forecasts. */
const FITS_BESIDE_FOLDS = 2;

/**
 * What a forecast costs: a credit is one model fitted once on up to 1,000 rows.
 *
 * @param size.folds 0 when the weights are given and nothing is tried out
 */
export function countCredits({ models, rows, folds }: { models: number; rows: number; folds: number }): number {
  return models * (folds + FITS_BESIDE_FOLDS) * Math.ceil(rows / ROWS_OF_A_CREDIT);
}
