import type { Frequency } from '../../calendar/index.ts';

/** What is known about a series before a model forecasts it. */
export interface PriorSeries {
  readonly frequency: Frequency;
  /** The number of observed rows. */
  readonly rows: number;
  /** The share of rows whose value is 0. */
  readonly zeroShare: number;
  /** The detected season in periods; 1 if none was detected. */
  readonly season: number;
}

/** What is known about the forecasts of such series. */
export interface FrequencyPrior {
  /** The weight of the pretrained models. */
  readonly pretrainedShare: (rows: number) => number;
  /** How the fitted models share the rest. A model that is not named does not help. */
  readonly fitted: Readonly<Record<string, number>>;
  /** The factor on the spread before any evidence. */
  readonly width: (rows: number) => number;
}

/** With this many rows, the pretrained models have gained half of the weight that they lack for a very short series. */
const HALFWAY_ROWS = 1000;

const growingFrom = (share: number) => (rows: number) => share + (1 - share) * (rows / (rows + HALFWAY_ROWS));
const constant = (value: number) => () => value;

/**
 * Chosen on histories of M1, M3, hospital, CIF, NN5, births, tourism and flights that end early, and rounded: around these numbers, the errors hardly change (`docs/ensemble.md`).
 */
const YEARLY: FrequencyPrior = {
  pretrainedShare: growingFrom(0.5),
  fitted: { theta: 0.4, prophet: 0.35, arima: 0.25 },
  width: (rows) => 1 + 2 / rows,
};
const QUARTERLY: FrequencyPrior = {
  pretrainedShare: growingFrom(0.85),
  fitted: { prophet: 0.35, ets: 0.35, theta: 0.3 },
  width: constant(1.05),
};
const MONTHLY: FrequencyPrior = {
  pretrainedShare: growingFrom(0.67),
  fitted: { theta: 0.5, seasonal_naive: 0.3, prophet: 0.2 },
  width: constant(1.02),
};
const WEEKLY: FrequencyPrior = {
  pretrainedShare: growingFrom(0.8),
  fitted: { arima: 0.5, prophet: 0.4, theta: 0.1 },
  width: constant(1.03),
};
const DAILY: FrequencyPrior = {
  pretrainedShare: constant(0.92),
  fitted: { mstl: 0.5, arima: 0.4, seasonal_naive: 0.1 },
  width: constant(1.08),
};
const WITHIN_A_DAY: FrequencyPrior = {
  pretrainedShare: constant(0.6),
  fitted: { mstl: 0.55, intermittent: 0.35, seasonal_naive: 0.1 },
  width: constant(1),
};
/** Many such series are prices, whose last value is hard to beat; without a season, it is what `seasonal_naive` repeats. */
const LAST_VALUE = { pretrainedShare: constant(0.9), fitted: { seasonal_naive: 1 } };
const DAILY_WITHOUT_SEASON: FrequencyPrior = { ...DAILY, ...LAST_VALUE };
const WITHIN_A_DAY_WITHOUT_SEASON: FrequencyPrior = { ...WITHIN_A_DAY, ...LAST_VALUE };
const SPARSE: FrequencyPrior = {
  pretrainedShare: constant(0.7),
  fitted: { intermittent: 1 },
  width: constant(1),
};
const SPARSE_WITHIN_A_DAY: FrequencyPrior = { ...SPARSE, pretrainedShare: constant(0.2) };

const BY_FREQUENCY: Partial<Readonly<Record<Frequency, FrequencyPrior>>> = {
  '1YE': YEARLY,
  '1QE': QUARTERLY,
  '1MS': MONTHLY,
  '1ME': MONTHLY,
  '1W-MON': WEEKLY,
};

/** A series with at least this share of zeros is sparse: its demand comes and goes. */
const SPARSE_SHARE = 0.3;

/** Returns the prior of a series. */
export function priorOf({ frequency, zeroShare, season }: Omit<PriorSeries, 'rows'>): FrequencyPrior {
  const longer = BY_FREQUENCY[frequency];
  const isDaily = frequency === '1D';
  if (zeroShare >= SPARSE_SHARE) return longer !== undefined || isDaily ? SPARSE : SPARSE_WITHIN_A_DAY;
  if (longer !== undefined) return longer;
  if (isDaily) return season > 1 ? DAILY : DAILY_WITHOUT_SEASON;
  return season > 1 ? WITHIN_A_DAY : WITHIN_A_DAY_WITHOUT_SEASON;
}

/**
 * Returns the fitted models that help a series whose season is not known yet.
 */
export function helpfulModels(series: Pick<PriorSeries, 'frequency' | 'zeroShare'>): readonly string[] {
  const shares = [1, 2].map((season) => priorOf({ ...series, season }).fitted);
  return [...new Set(shares.flatMap((fitted) => Object.keys(fitted)))];
}

/** Returns the share of observed rows whose value is 0. */
export function countZeroShare(values: ArrayLike<number>): number {
  let zeros = 0;
  let observed = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    observed++;
    if (values[i] === 0) zeros++;
  }
  return observed > 0 ? zeros / observed : 0;
}
