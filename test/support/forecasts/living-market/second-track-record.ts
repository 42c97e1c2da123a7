import { decilesOf, hasDeciles } from './second-deciles.ts';
import {
  type CsvRow,
  countInside,
  geometricMean,
  quantilesOf,
  type SecondRow,
  totalLoss,
  wilson,
} from './second-scores.ts';

/** The figures of a model, or of a band of its steps. */
export interface SecondFigures {
  readonly forecasts: number;
  readonly rows: number;
  readonly relative_wql: number | null;
  readonly compared: number;
  readonly coverage: readonly {
    readonly nominal: number;
    readonly inside: number;
    readonly rows: number;
    readonly share: number;
    readonly low: number;
    readonly high: number;
  }[];
}

export interface SecondRecord extends SecondFigures {
  readonly deciles: readonly { readonly rows: number; readonly share: number | null }[];
  readonly bands: readonly (SecondFigures & { readonly steps: string })[];
}

const BASELINE = 'seasonal_naive_baseline';
const BANDS: readonly (readonly [steps: string, first: number, last: number])[] = [
  ['1', 1, 1],
  ['2-5', 2, 5],
  ['6-20', 6, 20],
  ['21-60', 21, 60],
  ['61-365', 61, 365],
];

/** Computes the whole track record from its CSV file, by model. */
export function recomputeTrackRecord(lines: readonly CsvRow[]): Map<string, SecondRecord> {
  const byModel = Map.groupBy(lines, ({ model }) => model ?? '');
  const baseline = new Map((byModel.get(BASELINE) ?? []).map((line) => [keyOf(line), line]));
  byModel.delete(BASELINE);
  return new Map([...byModel].map(([model, own]) => [model, recordOf(own, baseline)]));
}

function keyOf({ forecast_id, step }: CsvRow): string {
  return `${forecast_id} ${step}`;
}

function toRow(line: CsvRow): SecondRow {
  return { actual: Number(line.actual), quantiles: quantilesOf(line, '') };
}

function recordOf(lines: readonly CsvRow[], baseline: ReadonlyMap<string, CsvRow>): SecondRecord {
  const placed = lines.map(toRow).filter(hasDeciles).map(decilesOf);
  const tenths = Array.from({ length: 10 }, (_, i) => placed.reduce((sum, shares) => sum + (shares[i] ?? 0), 0));
  return {
    ...figuresOf(lines, baseline),
    deciles: tenths.map((rows) => ({ rows, share: placed.length === 0 ? null : rows / placed.length })),
    bands: BANDS.flatMap(([steps, first, last]) => {
      const own = lines.filter(({ step }) => Number(step) >= first && Number(step) <= last);
      return own.length === 0 ? [] : [{ steps, ...figuresOf(own, baseline) }];
    }),
  };
}

function figuresOf(lines: readonly CsvRow[], baseline: ReadonlyMap<string, CsvRow>): SecondFigures {
  const forecasts = [...Map.groupBy(lines, ({ forecast_id }) => forecast_id).values()];
  const ratios = forecasts.flatMap((own) => {
    const rows = own.map(toRow);
    const naive = totalLoss(own.map((line, i) => naiveRow(baseline.get(keyOf(line)), rows[i] as SecondRow)));
    // One exact or exploded forecast must not decide the mean.
    return naive > 0 ? [Math.min(1_000, Math.max(0.001, totalLoss(rows) / naive))] : [];
  });
  const inside = [...countInside(lines.map(toRow))].sort(([a], [b]) => a - b);
  return {
    forecasts: forecasts.length,
    rows: lines.length,
    relative_wql: geometricMean(ratios),
    compared: ratios.length,
    coverage: inside.map(([nominal, { inside: count, of }]) => ({
      nominal,
      inside: count,
      rows: of,
      share: count / of,
      ...wilson(count, of),
    })),
  };
}

/** Returns the row of the seasonal naive forecast with the levels that the model has. */
function naiveRow(line: CsvRow | undefined, { actual, quantiles }: SecondRow): SecondRow {
  const levels = new Set(quantiles.map(([level]) => level));
  return { actual, quantiles: line === undefined ? [] : quantilesOf(line, '').filter(([level]) => levels.has(level)) };
}
