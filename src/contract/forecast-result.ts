import { z } from 'zod';
import { instant } from './fields.ts';

/** Weights by quantile and model, such as `{ "0.5": { "ets": 0.4, … } }`. The weights of a quantile sum to 1. */
export const WeightsByQuantile = z
  .record(z.string(), z.record(z.string(), z.number()))
  .meta({ id: 'WeightsByQuantile' });

export const Prediction = z
  .strictObject({ timestamp: instant(), quantiles: z.record(z.string(), z.number()) })
  .meta({ id: 'Prediction' });

export const ForecastProgress = z
  .strictObject({ completed_models: z.int(), total_models: z.int(), current_model: z.string().nullable() })
  .meta({ id: 'ForecastProgress' });

const metric = () => z.number().min(0).nullable();

const Metrics = z
  .strictObject({
    count: z.int().min(0),
    point_count: z.int().min(0),
    mae: metric(),
    rmse: metric(),
    smape: z.number().min(0).max(2).nullable(),
    average_wql: metric(),
    coverage: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Metrics' });

export const Weighting = z
  .strictObject({
    mode: z.literal('auto'),
    policy: z.enum(['rolling_pinball_v1', 'rolling_loss_selection_v2']),
    status: z.enum(['optimized', 'fallback', 'single_model']),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the folds did not choose the weights: `insufficient_history`, `calibration_failed`, `fast_mode`, `one_model_requested` or `one_model_survived`; null if they did.',
      ),
    pooling_space: z.enum(['target', 'transformed']),
    calibration_rows: z.int().min(0),
    calibration_horizon: z.int().min(0).max(30),
    extrapolated_from_step: z.int().nullable(),
    weights_by_quantile: WeightsByQuantile,
    effective_weights_by_quantile: WeightsByQuantile,
    prior_weights: WeightsByQuantile.optional().describe(
      'The weights before any fold was scored: those that did best on other series of the frequency, or equal weights in pools without a pretrained model. If `status` is not `optimized`, the weights used. Absent from forecasts that completed before this field existed.',
    ),
    spread_weights: WeightsByQuantile.optional().describe(
      'The weights with which the distances of the quantiles from the median are averaged; the other weights are then those of the medians. Absent if the values of each quantile are averaged, as in pools without a pretrained model.',
    ),
    folds: z
      .array(
        z.strictObject({
          training_rows: z.int(),
          training_end_at: instant(),
          start_at: instant(),
          end_at: instant(),
          rows: z.int(),
          losses: z.record(z.string(), z.number().nullable()),
        }),
      )
      .max(5),
    selected_method: z
      .string()
      .describe(
        'How the weights were chosen: `evidence`, `equal`, `convex_per_quantile`, `default_weights` or `single_model`. Earlier forecasts can have `mostly_pretrained`, `inverse_loss` or `greedy_selection`.',
      ),
    inner_scores: z.record(z.string(), z.number()),
    calibration: z
      .strictObject({ lower: z.number(), upper: z.number(), rows: z.int() })
      .describe(
        'The factors on the spread below and above the median, and the number of scored rows that they were computed from. With 0 rows, the factors are the starting width of the frequency.',
      ),
    audit_metrics: Metrics.describe('If no row could be scored, the counts are 0 and the measures are null.'),
    baseline_audit_metrics: Metrics.describe('The metrics for equal weights, computed on the same rows.'),
  })
  .meta({ id: 'Weighting' });

export const HistoricalValidation = z
  .strictObject({
    policy: z.literal('chronological_holdout_v1'),
    method: z.literal('chronological_holdout'),
    status: z.enum(['completed', 'insufficient_history', 'no_matching_outcomes', 'failed']),
    training_rows: z.int().min(2).optional(),
    holdout_rows: z.int().min(1).max(30).optional(),
    training_end_at: instant().optional(),
    validation_start_at: instant().optional(),
    validation_end_at: instant().optional(),
    requested_models: z.array(z.string()).describe('The models that were fitted.'),
    effective_weights_by_quantile: WeightsByQuantile,
    metrics: Metrics.nullable(),
  })
  .meta({ id: 'HistoricalValidation' });

export const MemberForecast = z
  .strictObject({
    model: z.string(),
    status: z.enum(['completed', 'failed', 'left_out']),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the model is not part of the pool: `failed`, `failed_in_calibration`, `exploded_in_calibration` or `not_fitted_here`; null if it is.',
      ),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    checkpoint: z.string(),
    predictions: z.array(Prediction),
  })
  .meta({ id: 'MemberForecast' });

const contentId = () => z.string().regex(/^0x[0-9a-f]{64}$/);

/** The record of a proof on a chain. */
const Receipt = z
  .strictObject({
    object_cid: contentId().describe('The content id of the proof.'),
    set_cid: contentId().describe('The content id of the collection that the proof was added to.'),
    transaction_hash: contentId().describe('The transaction that recorded the content id.'),
    user_address: z.string().nullable().describe('The address that sent the transaction.'),
    user_label: z
      .string()
      .optional()
      .describe('The display name of an account, as recovery returned it. It is not an address on a chain.'),
    chain_id: z.int().min(1).describe('The chain of the transaction.'),
    timestamp: instant().describe('When the chain recorded the content id.'),
  })
  .meta({ id: 'Receipt' });

/** The receipt of a proof. Its timestamp is meant to show that the forecast was made before its outcome was known. */
export const TimestampReceipt = z
  .strictObject({
    provider: z.literal('vbase'),
    schema_version: z.literal('almanac_forecast_proof_v1'),
    status: z.enum(['pending', 'stamping', 'stamped', 'unavailable']),
    content_cid: contentId().nullable(),
    receipt: Receipt.nullable().describe('Null until the proof is stamped.'),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'TimestampReceipt' });
