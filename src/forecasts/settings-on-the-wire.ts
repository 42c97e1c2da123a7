import type { z } from 'zod';
import type { ResolvedSettings } from '../contract/index.ts';
import type { ForecastSettings } from './settings.ts';

/**
 * Settings in the words of the interface. Proof documents hold them: what is written of the settings of a stored
 * forecast must never change.
 */
export function settingsOnTheWire(settings: ForecastSettings): z.output<typeof ResolvedSettings> {
  const { cadence, horizon, quantiles, models, weights, transform, seed, cutoff, source, unavailableModels } = settings;
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
    ...(unavailableModels && { unavailable_models: [...unavailableModels] }),
  };
}
