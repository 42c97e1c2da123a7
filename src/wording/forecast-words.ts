import { PERIOD_WORDS } from '../calendar/index.ts';
import type { Operations, Output } from '../contract/index.ts';
import { type ForecastFormats, formatsOf } from './levels.ts';

type Forecast = Output<Operations['readForecast']>;
export type Weighting = NonNullable<Forecast['weighting']>;
export type Metrics = Weighting['audit_metrics'];

/** The parts of a completed forecast that its words need. A forecast that was never stored has them as well. */
export interface WordedForecast
  extends Pick<Forecast, 'predictions' | 'weighting' | 'historical_validation' | 'members'> {
  readonly settings: Pick<
    Forecast['settings'],
    'frequency' | 'series_kind' | 'mode' | 'models' | 'unavailable_models' | 'fallback_used'
  >;
}

/** A completed forecast, and how its values and periods are written. */
export interface ForecastWords extends ForecastFormats {
  readonly forecast: WordedForecast;
  readonly units: string | undefined;
  /** The noun for one period, such as "month". */
  readonly period: string;
}

/** Returns the words for a completed forecast. */
export function wordsOf<Worded extends WordedForecast>(forecast: Worded, units: string | undefined) {
  const { frequency } = forecast.settings;
  return {
    forecast,
    units,
    period: nameOfPeriod(forecast.settings),
    ...formatsOf(forecast.predictions, frequency as keyof typeof PERIOD_WORDS),
  };
}

/** Returns the noun for one period of a series. */
export function nameOfPeriod({
  frequency,
  series_kind,
}: Pick<Forecast['settings'], 'frequency' | 'series_kind'>): string {
  if (frequency === '1D' && series_kind === 'exchange') return 'session';
  return PERIOD_WORDS[frequency as keyof typeof PERIOD_WORDS]?.noun ?? 'period';
}
