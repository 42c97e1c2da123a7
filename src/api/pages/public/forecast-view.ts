import type { PublicForecast } from '../../../forecasts/index.ts';
import { type ForecastFormats, formatsOf } from '../../../wording/index.ts';

/** How the page of a forecast formats its values, and what it names. */
export interface ForecastView extends ForecastFormats {
  readonly published: PublicForecast;
}

/** Returns the view of a forecast. */
export function viewOf(published: PublicForecast): ForecastView {
  const { result, settings } = published.forecast;
  return { published, ...formatsOf(result?.predictions ?? [], settings.cadence.frequency) };
}
