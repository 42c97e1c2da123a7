import type { z } from 'zod';
import type { ResolvedSettings } from '../contract/index.ts';
import type { ForecastSettings } from './settings.ts';

/** Settings in the words of the interface. Proof documents hold them, so no field may be added, dropped or renamed. */
export function settingsOnTheWire(settings: ForecastSettings): z.output<typeof ResolvedSettings> {
  const { cadence, horizon, quantiles, models, weights, transform, seed, cutoff, source } = settings;
  return {
    frequency: cadence.frequency,
    series_kind: cadence.kind,
    hours: cadence.hours ?? null,
    horizon,
    quantiles: [...quantiles],
    models: [...models],
    weight_mode: settings.weightMode,
    weights,
    weighting_policy: settings.weightingPolicy,
    transform,
    seed,
    cutoff,
    source,
  };
}
