import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorldBankScene, WORLDBANK_INDICATORS } from '../../../../test/support/datasets/worldbank-scene.ts';
import { startWorldBankServer } from '../../../../test/support/datasets/worldbank-server.ts';
import { sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient } from '../../../platform/index.ts';
import type { EconomicAdapter, ListedEntry } from '../provider.ts';
import { createWorldBankAdapter } from './worldbank-adapter.ts';

async function readListing(adapter: EconomicAdapter): Promise<(readonly ListedEntry[])[]> {
  const http = createProviderClient({ provider: 'worldbank', gate: null, sleep: async () => {} });
  const batches: (readonly ListedEntry[])[] = [];
  for await (const batch of adapter.readListing(http)) batches.push(batch);
  return batches;
}

test('lists indicators page by page, each once, in batches', async () => {
  const template = WORLDBANK_INDICATORS[0];
  assert.ok(template);
  const many = Array.from({ length: 1_050 }, (_, i) => ({ ...template, id: `SP.${i}`, note: 'x'.repeat(i % 100) }));
  const odd = ['all', 'A B', 'A/B', 'x'.repeat(257)].map((id) => ({ ...template, id }));
  const indicators = [...many, ...many.slice(0, 3), ...odd];
  await using server = await startWorldBankServer({ countries: [], indicators, maxPerPage: 500 });
  const batches = await readListing(createWorldBankAdapter({ url: server.url, requestsPerMinute: 60 }));
  assert.deepEqual(
    batches.flat().map(({ seriesId }) => seriesId),
    many.map(({ id }) => id),
  );
  assert.ok(batches.every(({ length }) => length > 0 && length <= 200));
  assert.deepEqual(
    server.requests.map(({ query }) => query),
    [1, 2, 3].map((page) => ({ format: 'json', per_page: '5000', page: String(page) })),
  );
  assert.deepEqual(batches[0]?.[0], {
    seriesId: 'SP.0',
    title: 'GDP (current US$)',
    keywords: ['Economy & Growth', 'World Development Indicators'],
    frequency: '1YE',
    units: 'current US$',
    span: null,
    lastUpdate: null,
    hasMembers: true,
  });
});

test('accepts spaces and a byte order mark around a listing, and nothing else', async () => {
  const header = '{"page":1,"pages":"1","per_page":"5000","total":1}';
  const row = '{"id":"SP.POP.TOTL","name":"Population, total"}';
  await using scene = await createWorldBankScene();
  for (const text of [`\ufeff[${header},[${row}]]`, ` [ ${header} \n, [ ${row} ] ] \n`]) {
    scene.server.script.push(sendText(text));
    const [batch] = await readListing(scene.adapter);
    assert.deepEqual(
      batch?.map(({ seriesId }) => seriesId),
      ['SP.POP.TOTL'],
      text,
    );
  }
  const wrong = [
    `[${header}]`,
    `[${header},null]`,
    `[${header},[]]`,
    `[${header},[${row}]`,
    `[${header},[${row}]]]`,
    `[${header},[${row}]] 7`,
    `[${header},[${row}],[]]`,
    `[${header}[${row}]]`,
    `[${header},[${row},]]`,
    `[${header},[[]]]`,
    `[${header},[{"id":7}]]`,
    `[[${row}],${header}]`,
    `${header},[${row}]`,
  ];
  for (const text of wrong) {
    scene.server.script.push(sendText(text));
    await assert.rejects(readListing(scene.adapter), { fault: 'MALFORMED' }, text);
  }
});

test('stops a listing whose pages do not advance', async () => {
  await using scene = await createWorldBankScene();
  const page = [{ page: 1, pages: 3, per_page: '1', total: 3 }, [{ id: 'SP.POP.TOTL', name: 'Population' }]];
  scene.server.script.push(sendJson(page), sendJson(page));
  await assert.rejects(readListing(scene.adapter), { fault: 'PAGE_LOOP' });
});
