import type { ForecastResult } from '../engine/index.ts';

export const PROOF_SCHEMA_VERSION = 'almanac_forecast_proof_v1';

/** The rows a forecast was made from: named and digested, not repeated. */
export interface ProofInput {
  readonly snapshot_id: string;
  readonly sha256: string;
  readonly rows: number;
  readonly about: object;
}

/** What a forecast said, when, and from what. Fields are never added to a version: that would be the next one. */
export interface ForecastProof {
  readonly schema_version: typeof PROOF_SCHEMA_VERSION;
  readonly forecast_id: string;
  readonly created_at: string;
  readonly completed_at: string;
  readonly input: ProofInput;
  readonly settings: object;
  /** By model the exact checkpoint. */
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly fingerprint: object;
  readonly result: ForecastResult;
}

/** A completed forecast, from whoever ran it. */
export interface CompletedForecast {
  readonly forecastId: string;
  readonly createdAt: Date;
  readonly completedAt: Date;
  readonly input: {
    readonly snapshotId: string;
    readonly sha256: string;
    readonly rows: number;
    readonly about: object;
  };
  readonly settings: object;
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly fingerprint: object;
  readonly result: ForecastResult;
}

export function proofDocument(forecast: CompletedForecast): ForecastProof {
  const { input, result } = forecast;
  return {
    schema_version: PROOF_SCHEMA_VERSION,
    forecast_id: forecast.forecastId,
    created_at: forecast.createdAt.toISOString(),
    completed_at: forecast.completedAt.toISOString(),
    input: { snapshot_id: input.snapshotId, sha256: input.sha256, rows: input.rows, about: input.about },
    settings: forecast.settings,
    checkpoints: forecast.checkpoints,
    fingerprint: forecast.fingerprint,
    // Named one by one: what else a result may carry some day is no part of this version.
    result: {
      predictions: result.predictions,
      weight_mode: result.weight_mode,
      ...(result.weighting === undefined ? {} : { weighting: result.weighting }),
      historical_validation: result.historical_validation,
      effective_weights_by_quantile: result.effective_weights_by_quantile,
      members: result.members,
      season: result.season,
    },
  };
}
