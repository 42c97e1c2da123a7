import type { ForecastResult } from '../../engine/index.ts';
import type { ProofSeal } from './content-ids.ts';

export const PROOF_SCHEMA_VERSION = 'almanac_forecast_proof_v1';

/** Identifies the rows from which a forecast was computed, without containing them. */
export interface ProofInput {
  readonly snapshot_id: string;
  readonly sha256: string;
  readonly rows: number;
  readonly about: object;
}

/**
 * The result of a forecast with its times and its input. Adding a required field needs a new schema version; adding an
 * optional one does not.
 */
export interface ForecastProof extends Partial<ProofSeal> {
  readonly schema_version: typeof PROOF_SCHEMA_VERSION;
  readonly forecast_id: string;
  readonly created_at: string;
  readonly completed_at: string;
  readonly input: ProofInput;
  readonly settings: object;
  /** The exact checkpoint of each model. */
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly fingerprint: object;
  readonly result: ForecastResult;
}

/** A completed forecast, as the caller of `buildProofDocument` provides it. */
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
  /** Undefined for a forecast that completed before documents had a seal. */
  readonly seal?: ProofSeal | undefined;
}

/** Returns the canonical document of a completed forecast. */
export function buildProofDocument(forecast: CompletedForecast): ForecastProof {
  const { input, result, seal } = forecast;
  return {
    schema_version: PROOF_SCHEMA_VERSION,
    ...(seal && { hash: seal.hash, salt: seal.salt }),
    forecast_id: forecast.forecastId,
    created_at: forecast.createdAt.toISOString(),
    completed_at: forecast.completedAt.toISOString(),
    input: { snapshot_id: input.snapshotId, sha256: input.sha256, rows: input.rows, about: input.about },
    settings: forecast.settings,
    checkpoints: forecast.checkpoints,
    fingerprint: forecast.fingerprint,
    // Copied field by field, because a field that is added to results later is not part of this version.
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
