import { barEnd } from '../../../calendar/index.ts';
import { isCollected } from '../../../forecasts/index.ts';
import { renderNumbers } from '../forecast/numbers.ts';
import { renderOutcome } from '../forecast/outcome.ts';
import type { Html } from '../html.ts';
import type { ForecastView } from './forecast-view.ts';

/** Renders what became known after the forecast was made, with its scores. */
export function renderPublicOutcome(view: ForecastView): Html | null {
  const { outcome, forecast } = view.published;
  if (outcome === null) return null;
  const { metrics } = outcome;
  const last = forecast.result?.predictions.at(-1);
  const madeAt = forecast.created_at;
  return renderOutcome(view, forecast.result?.predictions ?? [], {
    ...outcome,
    scores: metrics !== null && metrics.count > 0 ? metrics : null,
    isCollected: isCollected(forecast.settings),
    isHidden: !outcome.isPublic,
    // The page is stored until the forecast changes, so it states only what was true when the forecast was made.
    isOver: last !== undefined && barEnd(forecast.settings.cadence, Date.parse(last.timestamp)) <= madeAt.getTime(),
    readAt: null,
  });
}

/** Renders the table of all quantiles, with the actual values. */
export function renderPublicNumbers(view: ForecastView): Html {
  const { forecast, outcome } = view.published;
  return renderNumbers(view, forecast.result?.predictions ?? [], outcome?.rows ?? []);
}
