// The checks that run in every runtime. This file has no imports, because each runtime loads the client in its own way.

/** @typedef {typeof import('../../../client/src/index.ts')} Client */

const DAY_MS = 86_400_000;

/**
 * Uses the client with a service. Returns the names of the checks that passed, and throws at the first that fails.
 *
 * @param {Client} client
 * @param {{ url: string, key: string }} service
 * @returns {Promise<string[]>}
 */
export async function check({ Almanac, NotFoundError, UnauthenticatedError, verifyProof }, { url, key }) {
  /** @type {string[]} */
  const passed = [];
  /** @type {(name: string, holds: boolean) => void} */
  const expect = (name, holds) => {
    if (!holds) throw new Error(`This check failed: ${name}`);
    passed.push(name);
  };
  const almanac = new Almanac({ url, key });
  const points = Array.from({ length: 30 }, (_, i) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1) + i * DAY_MS).toISOString(),
    value: 100 + i + (i % 7),
  }));
  /** @type {string[]} */
  const kinds = [];
  const forecast = await almanac.forecasts.run(
    { source: { type: 'inline', points }, horizon: 2, models: ['theta'] },
    { onEvent: ({ kind }) => kinds.push(kind) },
  );
  expect('a forecast is run', forecast.status === 'completed' && forecast.predictions.length === 2);
  expect('its events are followed', kinds[0] === 'queued' && kinds.at(-1) === 'completed');
  const id = { forecast_id: forecast.forecast_id };

  let found = false;
  for await (const { forecast_id } of almanac.forecasts.list({ limit: 1 })) found ||= forecast_id === id.forecast_id;
  expect('it is in the list', found);
  const { data, response } = await almanac.forecasts.read(id).withResponse();
  expect('the response is there', data.slug === forecast.slug && response.headers.get('etag') !== null);
  const file = await almanac.forecasts.export({ ...id, format: 'csv' });
  expect('it is exported', file.mediaType === 'text/csv' && (await file.text()).startsWith('timestamp,'));

  const proof = await almanac.forecasts.readProof(id);
  const { valid, contentCid } = await verifyProof(JSON.stringify(proof));
  expect('its proof is valid', valid && contentCid === proof.content_cid);
  const changed = { ...proof, document: { ...proof.document, salt: '0'.repeat(64) } };
  expect('a changed proof is not valid', !(await almanac.proof.verify(changed)).valid);

  await almanac.forecasts.delete(id);
  const missing = await almanac.forecasts.read(id).catch((error) => error);
  expect('a missing forecast is an error with a request id', missing instanceof NotFoundError && !!missing.requestId);
  const other = new Almanac({ url, key: 'alm_wrong' });
  const refused = await other.account.readAccess().catch((error) => error);
  expect('a wrong key is refused', refused instanceof UnauthenticatedError && refused.code === 'UNAUTHENTICATED');
  const late = await almanac.account.readAccess({}, { signal: AbortSignal.abort() }).catch((error) => error);
  expect('an aborted call throws the reason', late instanceof Error && late.name === 'AbortError');
  return passed;
}
