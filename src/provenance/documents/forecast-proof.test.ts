import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENSEMBLE, FAILING, RUNNER, runnerWith } from '../../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { type ForecastResult, forecast } from '../../engine/index.ts';
import { buildProofDocument, type CompletedForecast, contentId, newSeal, verifyProof } from '../index.ts';

function completed(result: ForecastResult): CompletedForecast {
  return {
    forecastId: 'ef_1',
    createdAt: new Date('2026-03-01T10:00:00Z'),
    completedAt: new Date('2026-03-01T10:00:02Z'),
    input: { snapshotId: 'snap_1', sha256: '0f'.repeat(32), rows: 40, about: { source: 'request' } },
    settings: { horizon: 6 },
    checkpoints: { ets: '1', theta: '1', arima: '1' },
    fingerprint: { engine: '1' },
    result,
  };
}

const RESULTS: Record<string, () => Promise<ForecastResult>> = {
  'automatic weights': () => forecast(monthlyRequest(60, 6, { models: ENSEMBLE }), { runner: RUNNER }),
  'manual weights': () =>
    forecast(monthlyRequest(40, 6, { models: ENSEMBLE, weightMode: 'manual' }), { runner: RUNNER }),
  'too little history': () => forecast(monthlyRequest(4, 6, { models: ENSEMBLE }), { runner: RUNNER }),
  'a failing model': () =>
    forecast(monthlyRequest(60, 6, { models: ENSEMBLE }), { runner: runnerWith({ ets: FAILING }) }),
};

for (const [name, run] of Object.entries(RESULTS)) {
  test(`a result with ${name} has a proof that verifies after a round trip through JSON`, async () => {
    const result = await run();
    const document = buildProofDocument(completed(result));
    assert.deepEqual(document.result, result, 'the proof contains the whole result');
    const verdict = verifyProof(JSON.stringify({ document, content_cid: contentId(document) }));
    assert.deepEqual([verdict.content_cid, verdict.problems, verdict.unknown_fields], [contentId(document), [], []]);
  });
}

test('a proof of an earlier result without prior weights and with null audit metrics verifies unchanged', async () => {
  const { weighting, ...result } = await (RESULTS['too little history'] as () => Promise<ForecastResult>)();
  assert.ok(weighting);
  const { prior_weights, ...before } = { ...weighting, audit_metrics: null, baseline_audit_metrics: null };
  const document = buildProofDocument(completed({ ...result, weighting: before }));
  assert.deepEqual(document.result.weighting, before);
  const file = (proof: object) => JSON.stringify({ document: proof, content_cid: contentId(proof) });
  assert.deepEqual(verifyProof(file(document)).problems, []);
  const claimed = { ...before, prior_weights: { '0.5': { ets: 0.7 } } };
  const { problems } = verifyProof(file({ ...document, result: { ...document.result, weighting: claimed } }));
  assert.deepEqual(problems, ['result.weighting.prior_weights.0.5: adds up to 0.7, not to 1.']);
});

test('a seal adds its two fields to the document and nothing else', async () => {
  const forecast = completed(await (RESULTS['manual weights'] as () => Promise<ForecastResult>)());
  const seal = newSeal();
  const plain = buildProofDocument(forecast);
  const sealed = buildProofDocument({ ...forecast, seal });
  assert.deepEqual(sealed, { ...plain, ...seal });
  assert.equal(JSON.stringify(buildProofDocument({ ...forecast, seal: undefined })), JSON.stringify(plain));
  assert.notEqual(contentId(sealed), contentId(buildProofDocument({ ...forecast, seal: newSeal() })));
  assert.deepEqual(verifyProof(JSON.stringify({ document: sealed, content_cid: contentId(sealed) })).problems, []);
});

test('a document has only the fields of its version', async () => {
  const forecast = completed(await (RESULTS['manual weights'] as () => Promise<ForecastResult>)());
  const plain = buildProofDocument(forecast);
  const rich = {
    ...forecast,
    owner: 'usr_1',
    result: { ...forecast.result, note: 1 },
    input: { ...forecast.input, note: 1 },
  };
  assert.deepEqual(buildProofDocument(rich), plain);
  assert.equal(plain.created_at, '2026-03-01T10:00:00.000Z');
  assert.ok(!('weighting' in plain.result));
});
