/** What a form is fitted to. */
export interface FitData {
  /** In units of the series' own size; NaN where nothing was observed. */
  readonly values: Float64Array;
  readonly observed: number;
  readonly period: number;
}
