import { z } from 'zod';
import { WEIGHTING_POLICIES } from '../../engine/index.ts';
import { type ForecastProof, PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { hashName, instant, salt } from './proof-fields.ts';

const count = () => z.int().min(0);
/** A quantile level as its shortest decimal, so that it has only one spelling. */
const quantileKey = () => z.string().regex(/^0\.\d*[1-9]$/, 'is not a quantile');
const byQuantile = <Value extends z.ZodType>(value: Value) => z.record(quantileKey(), value);
const byModel = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);
/** An object with any fields. */
const anyObject = () => z.record(z.string(), z.unknown());

const weights = byQuantile(byModel(z.number()));

const predictions = z.array(z.strictObject({ timestamp: instant(), quantiles: byQuantile(z.number()) }));

const metrics = z.strictObject({
  count: count(),
  point_count: count(),
  mae: z.number().nullable(),
  rmse: z.number().nullable(),
  smape: z.number().nullable(),
  average_wql: z.number().nullable(),
  coverage: z.record(z.string(), z.number()),
});

const fold = z.strictObject({
  training_rows: count(),
  training_end_at: instant(),
  start_at: instant(),
  end_at: instant(),
  rows: count(),
  losses: byModel(z.number().nullable()),
});

const weighting = z.strictObject({
  mode: z.literal('auto'),
  policy: z.enum(WEIGHTING_POLICIES),
  status: z.enum(['optimized', 'fallback', 'single_model']),
  reason: z.string().nullable(),
  pooling_space: z.enum(['target', 'transformed']),
  calibration_rows: count(),
  calibration_horizon: count(),
  extrapolated_from_step: count().nullable(),
  weights_by_quantile: weights,
  effective_weights_by_quantile: weights,
  // Proofs that were issued before results had this field lack it.
  prior_weights: weights.exactOptional(),
  spread_weights: weights.exactOptional(),
  folds: z.array(fold),
  selected_method: z.string(),
  inner_scores: z.record(z.string(), z.number()),
  calibration: z.strictObject({ lower: z.number(), upper: z.number(), rows: count() }),
  // Null in older proofs of forecasts in which no row could be scored.
  audit_metrics: metrics.nullable(),
  baseline_audit_metrics: metrics.nullable(),
});

const historicalValidation = z.strictObject({
  policy: z.literal('chronological_holdout_v1'),
  method: z.literal('chronological_holdout'),
  status: z.enum(['completed', 'insufficient_history', 'no_matching_outcomes', 'failed']),
  training_rows: count().exactOptional(),
  holdout_rows: count().exactOptional(),
  training_end_at: instant().exactOptional(),
  validation_start_at: instant().exactOptional(),
  validation_end_at: instant().exactOptional(),
  requested_models: z.array(z.string()),
  effective_weights_by_quantile: weights,
  metrics: metrics.nullable(),
});

const member = z.strictObject({
  model: z.string(),
  status: z.enum(['completed', 'failed', 'left_out']),
  reason: z.enum(['failed', 'failed_in_calibration', 'exploded_in_calibration', 'not_fitted_here']).nullable(),
  error: z
    .strictObject({
      code: z.enum([
        'ABORTED',
        'INSUFFICIENT_HISTORY',
        'INVALID_SERIES',
        'UNSUPPORTED_HORIZON',
        'UNSUPPORTED_QUANTILE',
        'NOT_CONVERGED',
        'CRASHED',
      ]),
      message: z.string(),
    })
    .nullable(),
  predictions,
});

/**
 * The schema of the proof of a forecast. It is separate from the schemas of the API because it must also accept every
 * proof of its version that was ever issued: a version gains only optional fields. The type annotation causes a compile
 * error if a result gains a required field that this schema lacks.
 */
export const forecastProofSchema: z.ZodType<ForecastProof> = z.strictObject({
  schema_version: z.literal(PROOF_SCHEMA_VERSION),
  // Proofs that were issued before documents had a seal lack both.
  hash: hashName().exactOptional(),
  salt: salt().exactOptional(),
  forecast_id: z.string().min(1),
  created_at: instant(),
  completed_at: instant(),
  input: z.strictObject({
    snapshot_id: z.string().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hexadecimal digits'),
    rows: count(),
    about: anyObject(),
  }),
  settings: anyObject(),
  checkpoints: byModel(z.string()),
  fingerprint: anyObject(),
  result: z.strictObject({
    predictions,
    weight_mode: z.enum(['auto', 'manual']),
    weighting: weighting.exactOptional(),
    historical_validation: historicalValidation,
    effective_weights_by_quantile: weights,
    members: z.array(member),
    season: z.int().min(1),
  }),
});
