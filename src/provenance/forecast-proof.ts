import { createHash } from 'node:crypto';
import { canonicalJson } from '../contract/index.ts';
import type { ForecastResult } from '../engine/index.ts';

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
export interface ForecastProof {
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
}

/** Returns the canonical document of a completed forecast. */
export function buildProofDocument(forecast: CompletedForecast): ForecastProof {
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

/**
 * Returns the content id of a document: `0x` and the SHA-256 of its canonical JSON (RFC 8785) in UTF-8. Throws a
 * RangeError for a document with a value that has no canonical form.
 *
 * @example contentId({ b: 1, a: [] }) === contentId({ a: [], b: 1 })
 */
export function contentId(document: object): string {
  const [unwritable] = findUnwritableValues(document);
  if (unwritable !== undefined) throw new RangeError(unwritable);
  return `0x${createHash('sha256').update(canonicalJson(document), 'utf8').digest('hex')}`;
}

/** Yields the path and the problem of every value that has no canonical JSON form. */
export function* findUnwritableValues(value: unknown, path = 'document'): Generator<string> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield `${path}: contains half of a surrogate pair.`;
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) yield `${path}: is not a finite number.`;
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* findUnwritableValues(item, `${path}[${i}]`);
  } else if (isPlainObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (!key.isWellFormed()) yield `${path}: has a key that contains half of a surrogate pair.`;
      // A field that is undefined is absent from the JSON.
      if (field !== undefined) yield* findUnwritableValues(field, `${path}.${key}`);
    }
  } else if (value !== null && typeof value !== 'boolean') {
    yield `${path}: is not a JSON value.`;
  }
}

/**
 * Returns whether a value is a plain object. Dates, typed arrays and the like are not; JSON would write them as
 * something else.
 */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The receipt of a proof if no chain is configured. */
export interface EmptyReceipt {
  readonly provider: 'vbase';
  readonly schema_version: typeof PROOF_SCHEMA_VERSION;
  readonly status: 'unavailable';
  readonly content_cid: string | null;
  readonly receipt: null;
  readonly error_code: 'CHAIN_NOT_CONFIGURED';
}

export function emptyReceipt(contentCid: string | null): EmptyReceipt {
  return {
    provider: 'vbase',
    schema_version: PROOF_SCHEMA_VERSION,
    status: 'unavailable',
    content_cid: contentCid,
    receipt: null,
    error_code: 'CHAIN_NOT_CONFIGURED',
  };
}
