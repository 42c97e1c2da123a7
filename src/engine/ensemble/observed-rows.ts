/** A row that a window may score: how many steps after the window's last period it lies, and what happened. */
export interface OutcomeRow {
  readonly step: number;
  readonly actual: number;
}

/** The observed rows of a series with gaps: windows count rows, fits see periods. */
export interface ObservedRows {
  readonly count: number;
  /** Periods up to and including the first `rows` observed ones. */
  periodsOf(rows: number): number;
  /**
   * The `count` rows after the first `rows`, as far as a forecast of `count` steps reaches them: a gap takes up steps, so
   * rows behind it may be out of reach.
   */
  outcomes(rows: number, count: number): OutcomeRow[];
}

export function observeRows(values: Float64Array): ObservedRows {
  const periods: number[] = [];
  values.forEach((value, period) => {
    if (!Number.isNaN(value)) periods.push(period);
  });
  const periodsOf = (rows: number): number => (rows === 0 ? 0 : (periods[rows - 1] as number) + 1);
  return {
    count: periods.length,
    periodsOf,
    outcomes: (rows, count) => {
      const start = periodsOf(rows);
      return periods
        .slice(rows, rows + count)
        .map((period) => ({ step: period - start, actual: values[period] as number }))
        .filter(({ step }) => step < count);
    },
  };
}
