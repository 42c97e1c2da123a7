/**
 * Rows of a series by column. Timestamps are milliseconds since 1970, ascending, each once; every column has one number
 * per timestamp, NaN where nothing was observed. The order of the columns is part of the table.
 */
export interface SeriesTable {
  readonly timestamps: Float64Array;
  readonly columns: Readonly<Record<string, Float64Array>>;
}
