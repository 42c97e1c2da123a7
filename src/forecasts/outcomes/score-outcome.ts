import { computeMetrics, type ForecastResult, type Metrics, type Prediction, pinballLoss } from '../../engine/index.ts';

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
  /** Twice the pinball loss, averaged over the levels and summed over the rows. */
  readonly loss: number;
  /** The same for the seasonal naive forecast, on the same rows and levels. */
  readonly baseline_loss: number;
  readonly absolute: number;
  /** How many rows lay inside each central interval, by its nominal share. */
  readonly inside: Readonly<Record<string, number>>;
  /**
   * How many rows lay in each tenth of the predicted distribution; null if its levels do not reach from 0.1 to 0.9.
   */
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

/** Returns the metrics of the ensemble over these rows, which must not be replayed. */
export function measureOutcome({ result, baseline }: ScoredForecast, rows: readonly ScoredStep[]): OutcomeMetrics {
  const tally = tallyRows(result.predictions, baseline, rows);
  const levels = levelsOf(result.predictions);
  const { count, mae, average_wql, coverage } = computeMetrics(
    rows.map(({ step, actual }) => ({ actual, quantiles: valuesAt(result.predictions, step, levels) })),
    levels.map(Number),
  );
  return { count, mae, average_wql, coverage, relative_wql: relativeLoss(tally) };
}

/** Returns the tallies of the ensemble and of each member model that made a forecast. */
export function scoreOutcome({ result, baseline }: ScoredForecast, rows: readonly ScoredStep[]): OutcomeScores {
  const series = [
    [ENSEMBLE, result.predictions] as const,
    ...result.members.map(({ model, predictions }) => [model, predictions] as const),
  ];
  return Object.fromEntries(
    series
      .filter(([, predictions]) => predictions.length > 0)
      .map(([name, predictions]) => [name, tallyBands(predictions, baseline, rows)]),
  );
}

/** Returns the loss relative to that of the seasonal naive forecast; null if the latter is 0 or there is no row. */
export function relativeLoss({ loss, baseline_loss }: Pick<Tally, 'loss' | 'baseline_loss'>): number | null {
  const ratio = loss / baseline_loss;
  return baseline_loss > 0 && Number.isFinite(ratio) ? ratio : null;
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
  const coversDeciles = (numbers[0] ?? 1) <= 0.1 && (numbers.at(-1) ?? 0) >= 0.9;
  const deciles = new Array<number>(10).fill(0);
  const scored = rows.map(({ step, actual }) => ({ actual, quantiles: valuesAt(predictions, step, levels) }));
  let loss = 0;
  let baselineLoss = 0;
  for (const [i, { step, actual }] of rows.entries()) {
    const quantiles = (scored[i] as (typeof scored)[number]).quantiles;
    loss += meanLoss(numbers, actual, quantiles);
    baselineLoss += meanLoss(
      numbers,
      actual,
      levels.map((level) => baseline[step - 1]?.[level] ?? Number.NaN),
    );
    const position = Math.min(9, Math.floor(placeInDistribution(numbers, quantiles, actual) * 10));
    deciles[position] = (deciles[position] as number) + 1;
  }
  const { coverage } = computeMetrics(scored, numbers);
  return {
    rows: rows.length,
    loss,
    baseline_loss: baselineLoss,
    absolute: rows.reduce((sum, { actual }) => sum + Math.abs(actual), 0),
    inside: Object.fromEntries(
      Object.entries(coverage).map(([share, inside]) => [share, Math.round(inside * rows.length)]),
    ),
    deciles: coversDeciles ? deciles : null,
  };
}

function meanLoss(levels: readonly number[], actual: number, quantiles: readonly number[]): number {
  const sum = levels.reduce((total, level, i) => total + pinballLoss(level, actual, quantiles[i] as number), 0);
  return (2 * sum) / levels.length;
}

/**
 * Returns where a value lies in a predicted distribution, from 0 to 1: between two quantiles by linear interpolation.
 * A value outside the outermost quantiles is placed halfway between the outermost level and 0 or 1.
 */
function placeInDistribution(levels: readonly number[], quantiles: readonly number[], actual: number): number {
  const above = quantiles.findIndex((value) => value > actual);
  if (above === 0) return (levels[0] as number) / 2;
  if (above === -1) return (1 + (levels.at(-1) as number)) / 2;
  const [low, high] = [quantiles[above - 1] as number, quantiles[above] as number];
  const [from, to] = [levels[above - 1] as number, levels[above] as number];
  return from + ((actual - low) / (high - low)) * (to - from);
}

/** Returns the levels of predictions as keys, ascending. */
export function levelsOf(predictions: readonly Prediction[]): string[] {
  return Object.keys(predictions[0]?.quantiles ?? {}).sort((a, b) => Number(a) - Number(b));
}

function valuesAt(predictions: readonly Prediction[], step: number, levels: readonly string[]): number[] {
  return levels.map((level) => predictions[step - 1]?.quantiles[level] ?? Number.NaN);
}
