import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdapterScene } from '../../../../test/support/datasets/adapter-scene.ts';
import { createDbnomicsScene } from '../../../../test/support/datasets/dbnomics-scene.ts';
import { sendAnswer, sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import {
  boundedGet,
  createProviderClient,
  type ProviderClientOptions,
  ProviderError,
} from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';

const MAX_BYTES = 100_000;

/** Lowers the limit of a reply, because a test need not send all bytes of the adapter's own limit. */
const requestLess: ProviderClientOptions['request'] = async (url, options) => {
  const { text, ...reply } = await boundedGet(url, { ...options, maxBytes: MAX_BYTES });
  return { ...reply, bytes: Buffer.from(text) };
};

const openHttp = (options: Partial<ProviderClientOptions> = {}) =>
  createProviderClient({ provider: 'dbnomics', gate: null, sleep: async () => {}, ...options });
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';

async function list({ adapter }: AdapterScene, http = openHttp()): Promise<readonly ListedEntry[][]> {
  const batches: ListedEntry[][] = [];
  for await (const batch of adapter.readListing(http)) batches.push([...batch]);
  return batches;
}

/** Returns the reply with the category tree of a publisher. */
const sendTree = (code: string, count = 1) =>
  sendJson({
    provider: { code },
    category_tree: Array.from({ length: count }, (_, index) => ({ code: `${index}`, name: `Data set ${index}` })),
  });

test('lists each data set in the category trees of all publishers once', async () => {
  await using scene = await createDbnomicsScene();
  const entries = (await list(scene)).flat();
  assert.deepEqual(
    entries.map(({ seriesId }) => seriesId),
    scene.listed,
  );
  assert.deepEqual(entries[1], {
    seriesId: 'ECB/ICP',
    title: 'Indices of consumer prices',
    keywords: ['ECB', 'European Central Bank'],
    frequency: null,
    units: '',
    span: null,
    lastUpdate: null,
  });
  assert.equal(entries[2]?.title, 'LOOSE');
  assert.deepEqual(entries[4]?.keywords, ['STATES']);
  assert.deepEqual(
    scene.server.requests.map(({ path }) => path),
    ['/v22/providers', ...['AMECO', 'ECB', 'STATES', 'EMPTY'].map((code) => `/v22/providers/${code}`)],
  );
});

test('lists in batches of 500, leaves out publishers that are gone, and stops at 60,000 data sets', async () => {
  await using scene = await createDbnomicsScene();
  const codes = ['GONE', 'ONE', 'TWO', 'THREE'];
  const providers = { docs: codes.map((code) => ({ code })), num_found: 4 };
  scene.server.script.push(sendJson({ providers }), sendAnswer, sendTree('ONE', 1_001), sendTree('TWO', 59_000));
  const batches = await list(scene);
  assert.deepEqual(
    batches.slice(0, 4).map((batch) => [batch.length, batch[0]?.seriesId]),
    [
      [500, 'ONE/0'],
      [500, 'ONE/500'],
      [1, 'ONE/1000'],
      [500, 'TWO/0'],
    ],
  );
  assert.equal(batches.flat().length, 60_000);
  assert.equal(scene.server.requests.length, 4);
});

test('leaves out a publisher with the tree of another one or nodes that are not nodes', async () => {
  await using scene = await createDbnomicsScene();
  const provider = { code: 'AMECO' };
  const trees = [
    { provider: { code: 'ECB' }, category_tree: [] },
    { category_tree: [] },
    { provider, category_tree: 'x' },
    { provider, category_tree: [null] },
    { provider, category_tree: [{ code: 1 }] },
    { provider, category_tree: [{ name: 'x', children: [{ children: 1 }] }] },
  ];
  for (const tree of trees) {
    scene.server.script.push(sendAnswer, sendJson(tree));
    const ids = (await list(scene)).flat().map(({ seriesId }) => seriesId);
    assert.deepEqual(ids, scene.listed.slice(1), JSON.stringify(tree));
  }
});

/** Makes the server list publishers whose trees are the replies of its script. */
function sendPublishers({ server }: AdapterScene, codes: readonly string[]): void {
  server.script.push(sendJson({ providers: { docs: codes.map((code) => ({ code })), num_found: codes.length } }));
}

const sendUnavailable = Array.from({ length: 4 }, () => sendText('REPLY', 503));

test('continues after up to five publishers whose trees fail, and throws the first error of more', async () => {
  await using scene = await createDbnomicsScene();
  const http = openHttp({ request: requestLess });
  sendPublishers(scene, ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  const fail = [...sendUnavailable, sendTree('X'), sendText('REPLY', 403), sendText(' '.repeat(MAX_BYTES + 1))];
  scene.server.script.push(sendTree('A'), ...fail, sendTree('X'), sendTree('G'));
  assert.deepEqual(
    (await list(scene, http)).flat().map(({ seriesId }) => seriesId),
    ['A/0', 'G/0'],
  );
  sendPublishers(scene, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
  scene.server.script.push(sendTree('A'), ...fail, sendTree('X'), sendTree('X'), sendTree('H'));
  scene.server.requests.length = 0;
  await assert.rejects(list(scene, http), { fault: 'UNAVAILABLE' });
  assert.equal(scene.server.requests.at(-1)?.path, '/v22/providers/G');
  scene.server.script.length = 0;
  // A listing without entries would be a statement about all publishers.
  sendPublishers(scene, ['A', 'B']);
  scene.server.script.push(sendTree('X'), sendText('REPLY', 403));
  await assert.rejects(list(scene, http), isMalformed);
});

test('throws at once what would fail for other publishers as well', async () => {
  await using scene = await createDbnomicsScene();
  sendPublishers(scene, ['A', 'B', 'C']);
  scene.server.script.push(sendTree('A'), sendText('REPLY', 429, { 'retry-after': '600' }), sendTree('C'));
  await assert.rejects(list(scene), { fault: 'RATE_LIMITED' });
  assert.equal(scene.server.requests.length, 3);
  scene.server.script.length = 0;

  let admissions = 0;
  const gate: ProviderClientOptions['gate'] = {
    enter: async () =>
      ++admissions === 2
        ? { kind: 'open', since: new Date(0), until: null }
        : { kind: 'granted', permit: { trial: null, isSuccessNews: false } },
    leave: async () => {},
  };
  await assert.rejects(list(scene, openHttp({ gate })), { fault: 'CIRCUIT_OPEN' });

  const controller = new AbortController();
  const reason = new Error('The caller left.');
  const aborted = scene.adapter.readListing(openHttp({ signal: controller.signal }))[Symbol.asyncIterator]();
  assert.equal((await aborted.next()).value?.[0]?.seriesId, 'AMECO/ZUTN');
  controller.abort(reason);
  await assert.rejects(aborted.next(), reason);

  const unreachable = scene.adapter.readListing(openHttp())[Symbol.asyncIterator]();
  assert.equal((await unreachable.next()).value?.[0]?.seriesId, 'AMECO/ZUTN');
  await scene.server[Symbol.asyncDispose]();
  await assert.rejects(unreachable.next(), { fault: 'UNREACHABLE' });
});

test('searches with the words of the caller and returns data sets with their last update', async () => {
  await using scene = await createDbnomicsScene();
  assert.ok(scene.adapter.search);
  const found = await scene.adapter.search('consumer PRICES', 20, openHttp());
  assert.deepEqual(found, [
    {
      seriesId: 'ECB/ICP',
      title: 'Indices of consumer prices',
      keywords: ['ECB', 'European Central Bank'],
      frequency: null,
      units: '',
      span: null,
      lastUpdate: '2026-10-06T04:11:52.318Z',
    },
  ]);
  assert.deepEqual(scene.server.requests[0]?.query, { q: 'consumer PRICES', limit: '20' });
  // The largest limit of the provider is 100.
  assert.deepEqual(await scene.adapter.search('no such thing', 500, openHttp()), []);
  assert.equal((await scene.adapter.search('outlook', 1, openHttp())).length, 1);
  const docs = ['x', 'y'].map((code) => ({ code, provider_code: 'ECB' }));
  scene.server.script.push(sendJson({ results: { docs, num_found: 2 } }));
  assert.equal((await scene.adapter.search('x', 1, openHttp())).length, 1);
  for (const results of [
    { docs: [{ code: 'x', name: 'x' }], num_found: 1 },
    { docs, num_found: 1 },
  ]) {
    scene.server.script.push(sendJson({ results }));
    await assert.rejects(scene.adapter.search('x', 20, openHttp()), isMalformed);
  }
});
