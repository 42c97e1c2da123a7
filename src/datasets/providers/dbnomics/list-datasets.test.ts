import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdapterScene } from '../../../../test/support/datasets/adapter-scene.ts';
import { createDbnomicsScene } from '../../../../test/support/datasets/dbnomics-scene.ts';
import { sendAnswer, sendJson } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient, ProviderError } from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';

const openHttp = () => createProviderClient({ provider: 'dbnomics', gate: null, sleep: async () => {} });
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';

async function list({ adapter }: AdapterScene): Promise<readonly ListedEntry[][]> {
  const batches: ListedEntry[][] = [];
  for await (const batch of adapter.readListing(openHttp())) batches.push([...batch]);
  return batches;
}

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
  const sendTree = (code: string, count: number) =>
    sendJson({
      provider: { code },
      category_tree: Array.from({ length: count }, (_, index) => ({ code: `${index}`, name: `Data set ${index}` })),
    });
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

test('refuses trees of other publishers and nodes that are not nodes', async () => {
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
    await assert.rejects(list(scene), isMalformed, JSON.stringify(tree));
  }
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
