import type { ForecastProof } from '../../../src/provenance/documents/forecast-proof.ts';

/** A proof with only integers and ASCII letters, which every JSON library writes alike. */
export const EXAMPLE_PROOF: ForecastProof = {
  schema_version: 'almanac_forecast_proof_v1',
  forecast_id: 'ef_1',
  created_at: '2026-03-01T10:00:00.000Z',
  completed_at: '2026-03-01T10:00:02.500Z',
  input: {
    snapshot_id: 'snap_1',
    sha256: 'ab'.repeat(32),
    rows: 40,
    about: { source: 'request' },
  },
  settings: { horizon: 2, models: ['ets', 'theta'], seed: 7, cutoff: null },
  checkpoints: { theta: '1', ets: '1' },
  fingerprint: { engine: '1', node: 'v24', onnxruntime: null },
  result: {
    predictions: [
      { timestamp: '2026-04-01T00:00:00.000Z', quantiles: { '0.1': 90, '0.5': 100, '0.9': 110 } },
      { timestamp: '2026-05-01T00:00:00.000Z', quantiles: { '0.1': 80, '0.5': 100, '0.9': 120 } },
    ],
    weight_mode: 'manual',
    historical_validation: {
      policy: 'chronological_holdout_v1',
      method: 'chronological_holdout',
      status: 'failed',
      training_rows: 38,
      holdout_rows: 2,
      requested_models: ['ets', 'theta'],
      effective_weights_by_quantile: {},
      metrics: null,
    },
    effective_weights_by_quantile: {
      '0.1': { ets: 1, theta: 0 },
      '0.5': { ets: 1, theta: 0 },
      '0.9': { ets: 0, theta: 1 },
    },
    members: [
      { model: 'ets', status: 'completed', reason: null, error: null, predictions: [] },
      {
        model: 'theta',
        status: 'failed',
        reason: 'failed',
        error: { code: 'NOT_CONVERGED', message: 'It does not converge.' },
        predictions: [],
      },
    ],
    season: 1,
  },
};

/** The same proof with a seal, as new forecasts have it. */
export const SEALED_PROOF: ForecastProof = { ...EXAMPLE_PROOF, hash: 'sha3-256', salt: '0c'.repeat(32) };

/** A stamped receipt of a proof. */
export function exampleReceipt(contentCid: string) {
  return {
    provider: 'vbase',
    schema_version: 'almanac_forecast_proof_v1',
    status: 'stamped',
    content_cid: contentCid,
    receipt: {
      object_cid: contentCid,
      set_cid: '0x088dabdc446531536971d33c76d860f3eda3250380b56be30a886a08942096eb',
      transaction_hash: `0x${'7e'.repeat(32)}`,
      user_address: '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266',
      chain_id: 31337,
      timestamp: '2026-03-01T10:01:00.000Z',
    },
    error_code: null,
  };
}
