/** One line of a benchmark file: `id;period;frequency;horizon;history;actuals`. */
export interface BenchSeries {
  readonly id: string;
  /** Lower case: yearly, quarterly, monthly, other. */
  readonly group: string;
  readonly season: number;
  readonly horizon: number;
  readonly history: Float64Array;
  readonly actuals: Float64Array;
}

export function parseSeriesFile(text: string): BenchSeries[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

function parseLine(line: string): BenchSeries {
  const [id, period, frequency, horizon, history, actuals] = line.split(';');
  if (!id || !period || !frequency || !horizon || !history || !actuals) {
    throw new Error(`Expected id;period;frequency;horizon;history;actuals, got: ${line.slice(0, 80)}`);
  }
  const series = {
    id,
    group: period.toLowerCase(),
    season: Number(frequency),
    horizon: Number(horizon),
    history: Float64Array.from(history.split(','), Number),
    actuals: Float64Array.from(actuals.split(','), Number),
  };
  if (series.actuals.length !== series.horizon || series.actuals.some(Number.isNaN)) {
    throw new Error(`Series ${id} does not have ${horizon} numeric actuals.`);
  }
  return series;
}

/** The files have no dates; models of the calendar get these. */
export function datesFor(group: string, count: number): Float64Array {
  const date: Record<string, (i: number) => number> = {
    yearly: (i) => Date.UTC(1950 + i, 0, 1),
    quarterly: (i) => Date.UTC(1980, 3 * i, 1),
    monthly: (i) => Date.UTC(1980, i, 1),
    weekly: (i) => Date.UTC(2000, 0, 3 + 7 * i),
    hourly: (i) => Date.UTC(2015, 0, 5, i),
  };
  const at = date[group] ?? ((i: number) => Date.UTC(2000, 0, 3 + i));
  return Float64Array.from({ length: count }, (_, i) => at(i));
}
