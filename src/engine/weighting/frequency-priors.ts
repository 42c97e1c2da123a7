import type { Frequency } from '../../calendar/index.ts';

/** What is known about the forecasts of a frequency before a series is seen. */
export interface FrequencyPrior {
  /** The weight of the pretrained models for a very short series. It grows with the rows. */
  readonly pretrainedShare: number;
  /** How the fitted models share the rest. A model that is not named cannot help here. */
  readonly fitted: Readonly<Record<string, number>>;
  /** The factor on the spread of the pretrained models. */
  readonly width: (rows: number) => number;
}

const YEARLY: FrequencyPrior = {
  pretrainedShare: 0.45,
  fitted: { theta: 0.6, prophet: 0.3, arima: 0.1 },
  width: (rows) => 1 + 2 / rows,
};
const QUARTERLY: FrequencyPrior = {
  pretrainedShare: 0.9,
  fitted: { theta: 0.45, prophet: 0.4, arima: 0.15 },
  width: () => 1.05,
};
const MONTHLY: FrequencyPrior = {
  pretrainedShare: 0.73,
  fitted: { theta: 0.5, seasonal_naive: 0.2, prophet: 0.15, arima: 0.15 },
  width: () => 1.02,
};
const WEEKLY: FrequencyPrior = {
  pretrainedShare: 0.8,
  fitted: { arima: 0.5, prophet: 0.4, theta: 0.1 },
  width: () => 1.03,
};
const DAILY: FrequencyPrior = {
  pretrainedShare: 0.92,
  fitted: { arima: 0.4, seasonal_naive: 0.4, theta: 0.2 },
  width: () => 1.08,
};
const WITHIN_A_DAY: FrequencyPrior = { ...DAILY, width: () => 1 };

/**
 * Chosen on the M1, M3, hospital, CIF, NN5, births and tourism histories that end one horizon early (`docs/ensemble.md`).
 * They are rounded: around these numbers, the errors hardly change.
 */
const BY_FREQUENCY: Partial<Readonly<Record<Frequency, FrequencyPrior>>> = {
  '1YE': YEARLY,
  '1QE': QUARTERLY,
  '1MS': MONTHLY,
  '1ME': MONTHLY,
  '1W-MON': WEEKLY,
  '1D': DAILY,
};

export function priorOf(frequency: Frequency): FrequencyPrior {
  return BY_FREQUENCY[frequency] ?? WITHIN_A_DAY;
}
