import { type ForecastProof, proofDocument } from '../provenance/index.ts';
import type { Snapshot } from '../snapshots/index.ts';
import type { ForecastRow } from './find-forecast.ts';
import type { ForecastSettings } from './settings.ts';

type Proved = Pick<ForecastRow, 'id' | 'created_at' | 'settings' | 'checkpoints'> & {
  readonly result: NonNullable<ForecastRow['result']>;
  readonly fingerprint: object;
  readonly finished_at: Date;
};

/** The document that proves what a completed forecast said, when, and from what. */
export function proofOf(forecast: Proved, { id: snapshotId, sha256, rows, about }: Snapshot): ForecastProof {
  return proofDocument({
    forecastId: forecast.id,
    createdAt: forecast.created_at,
    completedAt: forecast.finished_at,
    input: { snapshotId, sha256, rows, about },
    settings: onTheWire(forecast.settings),
    checkpoints: forecast.checkpoints,
    fingerprint: forecast.fingerprint,
    result: forecast.result,
  });
}

/** Settings in the words of the interface. */
function onTheWire(settings: ForecastSettings): object {
  const { cadence, horizon, quantiles, models, weights, transform, seed, cutoff, source } = settings;
  return {
    frequency: cadence.frequency,
    series_kind: cadence.kind,
    hours: cadence.hours ?? null,
    horizon,
    quantiles,
    models,
    weight_mode: settings.weightMode,
    weights,
    weighting_policy: settings.weightingPolicy,
    transform,
    seed,
    cutoff,
    source,
  };
}
