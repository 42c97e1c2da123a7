import type { ForecastRequest, ForecastResult } from '../engine/index.ts';
import { observe, traced } from '../platform/index.ts';
import type { FittedModel } from './fit-times.ts';

/** Runs a forecast, measured and traced when that is asked for: a span for it, and one below for each model. */
export function watchForecast(
  request: ForecastRequest,
  run: (onFitted: (models: readonly FittedModel[]) => void) => Promise<ForecastResult>,
): Promise<ForecastResult> {
  return traced({ name: 'forecast', kind: 'internal' }, (span) => {
    span?.set({
      'almanac.frequency': request.cadence.frequency,
      'almanac.rows': request.values.length,
      'almanac.horizon': request.horizon,
    });
    return run((models) => {
      for (const { model, startedAt, endedAt, busyMs } of models) {
        observe('model_fit_duration_seconds', { model }, busyMs / 1000);
        const about = { 'almanac.model': model, 'almanac.busy_ms': Math.round(busyMs) };
        span?.past({ name: `fit ${model}`, kind: 'internal', attributes: about }, startedAt, endedAt);
      }
    });
  });
}
