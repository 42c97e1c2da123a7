import { computeMetrics, type ForecastResult, type Metrics, type Prediction, pinballLoss } from '../../engine/index.ts';
import { haveTenths, placeInTenths } from './tenths.ts';

/** The bands of steps by which scores are added up, each with its last step. */
export const HORIZON_BANDS = [
  { name: '1', last: 1 },
  { name: '2-5', last: 5 },
  { name: '6-20', last: 20 },
  { name: '21-60', last: 60 },
  { name: '61-365', last: Number.POSITIVE_INFINITY },
] as const;

export type HorizonBand = (typeof HORIZON_BANDS)[number]['name'];

/** The name of the ensemble beside the names of models. No model can have it. */
export const ENSEMBLE = 'ensemble';

/** The scores that the outcome of a forecast shows. */
export interface OutcomeMetrics extends Pick<Metrics, 'count' | 'mae' | 'average_wql' | 'coverage'> {
  /** The loss of the forecast divided by that of the seasonal naive forecast on the same rows and levels. */
  readonly relative_wql: number | null;
}

/** Sums over scored rows, which can be added up over forecasts. */
export interface Tally {
  readonly rows: number;
  /**
   * Twice the pinball loss, averaged over the levels and summed over the rows. An infinite sum is stored as the largest
   * number, because JSON has no infinity, and a forecast that explodes must not lose its score.
   */
  readonly loss: number;
  /** The same for the seasonal naive forecast, on the same rows and levels; null if it has no value for one of them. */
  readonly baseline_loss: number | null;
  /** How many rows lay inside each central interval, by its nominal share. */
  readonly inside: Readonly<Record<string, number>>;
  /** How many rows lay in each tenth of the predicted distribution; null if its levels do not show the tenths. */
  readonly deciles: readonly number[] | null;
}

/** The tallies of one forecast: of the ensemble and of each member model, by band of steps. */
export type OutcomeScores = Readonly<Record<string, Partial<Record<HorizonBand, Tally>>>>;

/** An actual value of a step, counted from 1. */
export interface ScoredStep {
  readonly step: number;
  readonly actual: number;
}

/** A forecast with what it is compared with. */
export interface ScoredForecast {
  readonly result: Pick<ForecastResult, 'predictions' | 'members'>;
  /** The quantiles of the seasonal naive forecast from the same origin, by step. */
  readonly baseline: readonly Readonly<Record<string, number>>[];
}

/** Returns the metrics of the ensemble over these rows, which must not be replayed. Every figure is finite or null. */
export function measureOutcome({ result, baseline }: ScoredForecast, rows: readonly ScoredStep[]): OutcomeMetrics {
  const { predictions } = result;
  const levels = levelsOf(predictions);
  const { count, mae, average_wql, coverage } = computeMetrics(readRows(predictions, levels, rows), levels.map(Number));
  const total = rows.reduce((sum, { actual }) => sum + Math.abs(actual), 0);
  return {
    count,
    mae: finiteOrNull(mae),
    // A loss divided by an infinite total would be 0, as of a perfect forecast.
    average_wql: Number.isFinite(total) ? finiteOrNull(average_wql) : null,
    coverage,
    relative_wql: relativeLoss(tallyRows(predictions, baseline, rows)),
  };
}

/** Returns the tallies of the ensemble and of each member model that made a forecast. */
export function scoreOutcome({ result, baseline }: ScoredForecast, rows: readonly ScoredStep[]): OutcomeScores {
  return Object.fromEntries(
    listScoredSeries(result).map(([name, predictions]) => [name, tallyBands(predictions, baseline, rows)]),
  );
}

/** Returns the predictions that are scored, with their names: of the ensemble and of the member models that have any. */
export function listScoredSeries({
  predictions: pooled,
  members,
}: ScoredForecast['result']): (readonly [string, readonly Prediction[]])[] {
  const series = [
    [ENSEMBLE, pooled] as const,
    ...members.map(({ model, predictions }) => [model, predictions] as const),
  ];
  // A model that supports none of the requested levels has predictions without quantiles.
  return series.filter(([, predictions]) => levelsOf(predictions).length > 0);
}

/**
 * Returns the loss relative to that of the seasonal naive forecast; null if the latter is 0 or unknown, or there is no
 * row.
 */
export function relativeLoss({ loss, baseline_loss }: Pick<Tally, 'loss' | 'baseline_loss'>): number | null {
  return baseline_loss !== null && baseline_loss > 0 ? finiteOrNull(loss / baseline_loss) : null;
}

function tallyBands(
  predictions: readonly Prediction[],
  baseline: ScoredForecast['baseline'],
  rows: readonly ScoredStep[],
): Partial<Record<HorizonBand, Tally>> {
  const bands = Map.groupBy(rows, ({ step }) => bandOf(step));
  return Object.fromEntries([...bands].map(([band, own]) => [band, tallyRows(predictions, baseline, own)]));
}

export function bandOf(step: number): HorizonBand {
  return (HORIZON_BANDS.find(({ last }) => step <= last) ?? HORIZON_BANDS[0]).name;
}

function tallyRows(
  predictions: readonly Prediction[],
  baseline: ScoredForecast['baseline'],
  rows: readonly ScoredStep[],
): Tally {
  const levels = levelsOf(predictions);
  const numbers = levels.map(Number);
  const scored = readRows(predictions, levels, rows);
  const baselineRows = rows.map(({ step, actual }) => ({
    actual,
    quantiles: levels.map((level) => baseline[step - 1]?.[level] ?? Number.NaN),
  }));
  const baselineLoss = sumLosses(numbers, baselineRows);
  // The number of rows inside an interval is a share of few rows, so rounding restores it.
  const inside = Object.entries(computeMetrics(scored, numbers).coverage).map(
    ([interval, share]) => [interval, Math.round(share * rows.length)] as const,
  );
  return {
    rows: rows.length,
    loss: sumLosses(numbers, scored),
    baseline_loss: Number.isNaN(baselineLoss) ? null : baselineLoss,
    inside: Object.fromEntries(inside),
    deciles: haveTenths(numbers) ? countTenths(numbers, scored) : null,
  };
}

interface Row {
  readonly actual: number;
  readonly quantiles: readonly number[];
}

function sumLosses(levels: readonly number[], rows: readonly Row[]): number {
  const sum = rows.reduce((total, { actual, quantiles }) => total + meanLoss(levels, actual, quantiles), 0);
  return Math.min(sum, Number.MAX_VALUE);
}

function meanLoss(levels: readonly number[], actual: number, quantiles: readonly number[]): number {
  const sum = levels.reduce((total, level, i) => total + pinballLoss(level, actual, quantiles[i] as number), 0);
  return (2 * sum) / levels.length;
}

function countTenths(levels: readonly number[], rows: readonly Row[]): number[] {
  const counts = new Array<number>(10).fill(0);
  for (const { actual, quantiles } of rows) {
    placeInTenths(levels, quantiles, actual).forEach((share, i) => {
      counts[i] = (counts[i] as number) + share;
    });
  }
  return counts;
}

/** Returns the levels of predictions as keys, ascending. */
export function levelsOf(predictions: readonly Prediction[]): string[] {
  return Object.keys(predictions[0]?.quantiles ?? {}).sort((a, b) => Number(a) - Number(b));
}

/** Returns rows with the predicted values of their steps, which must exist: no row counts without its loss. */
function readRows(predictions: readonly Prediction[], levels: readonly string[], rows: readonly ScoredStep[]): Row[] {
  return rows.map(({ step, actual }) => {
    const quantiles = levels.map((level) => predictions[step - 1]?.quantiles[level]);
    if (quantiles.includes(undefined)) throw new RangeError(`The forecast has no quantiles for the step ${step}.`);
    return { actual, quantiles: quantiles as number[] };
  });
}

function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
