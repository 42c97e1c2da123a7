import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { AdapterScene, SceneSeries } from '../../../test/support/datasets/adapter-scene.ts';
import { ADAPTER_SCENES } from '../../../test/support/datasets/adapter-scenes.ts';
import {
  assertValidDimension,
  assertValidEntries,
  assertValidSeries,
  assertValidStructure,
  statedFrequency,
} from '../../../test/support/datasets/valid-series.ts';
import {
  cutBody,
  endlessBody,
  type Reply,
  sendAnswer,
  sendHtml,
  sendJson,
  sendText,
  stallBody,
} from '../../../test/support/platform/wire-server.ts';
import {
  createProviderClient,
  type ProviderClient,
  type ProviderClientOptions,
  ProviderError,
  type ProviderFault,
} from '../../platform/index.ts';
import { buildRows } from './build-rows.ts';
import type { ListedEntry, RawSeries, SeriesStructure } from './provider.ts';

// What every adapter does, whatever its protocol: it returns exactly the rows of the provider, or a named error.

const MAX_BATCH = 1_000;

/** Registers a test for each adapter, with a server of its own. */
function forEachAdapter(name: string, work: (scene: AdapterScene) => Promise<void>): void {
  for (const [id, create] of ADAPTER_SCENES) {
    test(`${id}: ${name}`, async () => {
      await using scene = await create();
      assert.equal(scene.adapter.id, id);
      await work(scene);
    });
  }
}

function openClient({ adapter }: AdapterScene, options: Partial<ProviderClientOptions> = {}): ProviderClient {
  return createProviderClient({
    provider: adapter.id,
    gate: null,
    random: () => 0,
    sleep: async () => {},
    deadline: Date.now() + 60_000,
    ...options,
  });
}

/** Everything that an adapter reads, for the first series. */
function readsOf(scene: AdapterScene): Record<string, (http: ProviderClient) => Promise<unknown>> {
  const { adapter, series } = scene;
  const { selection } = series[0] as SceneSeries;
  return {
    structure: (http) => adapter.readStructure(selection.seriesId, http),
    series: (http) => adapter.readSeries(selection, http),
    listing: (http) => readAll(adapter.readListing(http)),
    ...(adapter.readMembers !== undefined && { members: async (http) => adapter.readMembers?.(http) }),
    ...(adapter.search !== undefined && { search: async (http) => adapter.search?.('income', 5, http) }),
  };
}

async function readAll(batches: AsyncIterable<readonly ListedEntry[]>): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  for await (const batch of batches) {
    assert.ok(batch.length > 0 && batch.length <= MAX_BATCH, `a batch of ${batch.length} entries`);
    entries.push(...batch);
  }
  return entries;
}

async function readStructure({ adapter }: AdapterScene, id: string, http: ProviderClient): Promise<SeriesStructure> {
  const structure = await adapter.readStructure(id, http);
  assert.ok(structure, `${id} has a structure`);
  return structure;
}

/** Checks that every read ends in an error with a fault, which contains no part of the request or the reply. */
async function assertFaults(
  scene: AdapterScene,
  replies: readonly Reply[],
  fault: ProviderFault,
  options: () => Partial<ProviderClientOptions> = () => ({}),
): Promise<void> {
  for (const [name, read] of Object.entries(readsOf(scene))) {
    scene.server.requests.length = 0;
    scene.server.script.push(...replies);
    await assert.rejects(
      read(openClient(scene, options())),
      (error) => {
        assert.ok(error instanceof ProviderError, String(error));
        assert.deepEqual([error.provider, error.fault], [scene.adapter.id, fault]);
        assertDiscreet(scene, error);
        return true;
      },
      `${name}: ${fault}`,
    );
    scene.server.script.length = 0;
  }
}

/** Checks that an error contains neither a key nor any part of a reply, an address or a query. */
function assertDiscreet({ key, server }: AdapterScene, error: Error): void {
  const whole = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  // The lines of the stack name source files.
  const text = whole.replace(/\n\s+at .*/g, '');
  const sent = server.requests.flatMap(({ path, query }) => [
    ...(path === '/' ? [] : [path]),
    ...Object.entries(query).map(([name, value]) => `${name}=${value}`),
  ]);
  const hidden = [...(key === null ? [] : [key]), 'REPLY', server.url, '127.0.0.1', ...sent];
  for (const one of hidden) assert.ok(!text.includes(one), `${one}: ${text}`);
}

const four = (reply: Reply): Reply[] => [reply, reply, reply, reply];

forEachAdapter('describes itself', async ({ adapter, key }) => {
  assert.ok(adapter.name.length > 0 && adapter.license.name.length > 0);
  assert.ok(Number.isInteger(adapter.requestsPerMinute) && adapter.requestsPerMinute > 0);
  assert.equal(adapter.isKeyless, key === null);
  assert.ok(adapter.wellKnown.seriesId.length > 0);
  if (key !== null) assert.ok(!inspect(adapter, { depth: 10, showHidden: true }).includes(key));
});

forEachAdapter('returns complete structures, which have the chosen values', async (scene) => {
  const http = openClient(scene);
  for (const { selection } of [...scene.series, ...scene.unsupported]) {
    const structure = await readStructure(scene, selection.seriesId, http);
    assertValidStructure(structure);
    const chosen = Object.entries(selection.dimensions);
    assert.deepEqual(
      structure.dimensions.map(({ field }) => field),
      chosen.map(([field]) => field),
      `the dimensions of ${selection.seriesId}`,
    );
    for (const [i, { field, values }] of structure.dimensions.entries()) {
      assert.ok(
        values.some(({ value }) => value === chosen[i]?.[1]),
        `${chosen[i]?.[1]} is a value of ${field}`,
      );
    }
  }
});

forEachAdapter('returns exactly the rows of every series', async (scene) => {
  const http = openClient(scene);
  for (const { selection, frequency, rows, flags = {} } of scene.series) {
    const name = `${selection.seriesId} ${JSON.stringify(selection.dimensions)}`;
    const series = (await scene.adapter.readSeries(selection, http)) as RawSeries;
    assert.ok(series, name);
    assertValidSeries(series);
    assert.deepEqual(series.frequency, { frequency }, name);
    const built = buildRows(scene.adapter.id, frequency, series.observations);
    const dates = Array.from(built.table.timestamps, (at) => new Date(at).toISOString().slice(0, 10));
    const values = built.table.columns.value as Float64Array;
    assert.deepEqual(
      dates.map((date, row) => [date, values[row]]),
      rows,
      name,
    );
    const flagged = dates.flatMap((date, row) => (built.flags[row] === undefined ? [] : [[date, built.flags[row]]]));
    assert.deepEqual(Object.fromEntries(flagged), flags, `the flags of ${name}`);
    assert.equal(built.outside, 0);
  }
});

forEachAdapter('names frequencies that are not offered', async (scene) => {
  const http = openClient(scene);
  for (const { selection, name } of scene.unsupported) {
    const stated = statedFrequency(await readStructure(scene, selection.seriesId, http), selection);
    // The structure of some providers states no frequency, and the dates of the rows decide it.
    const found = 'unsupported' in stated ? stated : (await scene.adapter.readSeries(selection, http))?.frequency;
    assert.deepEqual(found, { unsupported: name }, selection.seriesId);
  }
});

forEachAdapter('returns null for what does not exist', async (scene) => {
  const { adapter, series, unknownId, emptySelection } = scene;
  const http = openClient(scene);
  const { dimensions } = (series[0] as SceneSeries).selection;
  assert.equal(await adapter.readStructure(unknownId, http), null);
  assert.equal(await adapter.readSeries({ seriesId: unknownId, dimensions }, http), null);
  if (emptySelection === null) return;
  assert.ok(await adapter.readStructure(emptySelection.seriesId, http));
  assert.equal(await adapter.readSeries(emptySelection, http), null);
});

forEachAdapter('lists series in bounded batches', async (scene) => {
  const { adapter, listed, series } = scene;
  const http = openClient(scene);
  const entries = await readAll(adapter.readListing(http));
  assertValidEntries(entries);
  const ids = entries.map(({ seriesId }) => seriesId);
  assert.equal(new Set(ids).size, ids.length, 'each series is listed once');
  for (const id of listed) assert.ok(ids.includes(id), `${id} is listed`);
  if (!entries.some(({ hasMembers }) => hasMembers)) return;
  const members = await adapter.readMembers?.(http);
  assert.ok(members);
  assertValidDimension(members);
  const { seriesId, dimensions } = (series[0] as SceneSeries).selection;
  assert.ok(members.values.some(({ value }) => value === dimensions[members.field]));
  const structure = await readStructure(scene, seriesId, http);
  assert.deepEqual(
    structure.dimensions.find(({ field }) => field === members.field),
    members,
  );
});

forEachAdapter("passes words to the provider's search", async (scene) => {
  const { adapter, listed } = scene;
  if (adapter.search === undefined) return;
  for (const words of ['income', 'a&b=c', 'a b?c#d', 'é "x" 100%', '../x']) {
    scene.server.requests.length = 0;
    const entries = await adapter.search(words, 2, openClient(scene));
    assert.ok(entries.length <= 2, `${entries.length} entries of ${listed.length}`);
    assertValidEntries(entries);
    for (const { query } of scene.server.requests) {
      assert.ok(Object.values(query).includes(words), `${words} is one parameter`);
      assert.ok(!Object.hasOwn(query, 'b'));
    }
  }
});

forEachAdapter('reports failures of the server and limits', async (scene) => {
  await assertFaults(scene, four(sendJson({ message: 'REPLY' }, 500)), 'UNAVAILABLE');
  await assertFaults(scene, four(sendText('REPLY', 503)), 'UNAVAILABLE');
  await assertFaults(scene, four(sendJson({ message: 'REPLY' }, 429)), 'RATE_LIMITED');
  await assertFaults(scene, [sendJson({ message: 'REPLY' }, 429, { 'retry-after': '600' })], 'RATE_LIMITED');
  await assertFaults(scene, [sendJson({ message: 'REPLY' }, 403)], 'FORBIDDEN');
});

forEachAdapter('reports HTML, cut, endless and slow bodies, and follows no redirect', async (scene) => {
  await assertFaults(scene, four(sendHtml), 'MALFORMED');
  await assertFaults(scene, four(sendText('')), 'MALFORMED');
  await assertFaults(scene, four(sendText(Buffer.from([0x22, 0xff, 0x22]))), 'MALFORMED');
  await assertFaults(scene, four(cutBody), 'TRUNCATED');
  await assertFaults(scene, [endlessBody], 'TOO_LARGE');
  await assertFaults(scene, four(stallBody), 'TIMEOUT', () => ({ attemptMs: 30, deadline: Date.now() + 60 }));
  await assertFaults(scene, four(sendText('', 302, { location: 'http://127.0.0.1:1/' })), 'MALFORMED');
});

forEachAdapter('reports replies of another shape as failures of the provider', async (scene) => {
  for (const reply of [null, 7, 'REPLY', [], {}, [[]], [{}], [{}, {}], { message: 'REPLY' }, { observations: 7 }]) {
    const outcomes: unknown[] = [];
    const gate: ProviderClientOptions['gate'] = {
      enter: async () => ({ kind: 'granted', permit: { trial: null, isSuccessNews: false } }),
      leave: async (_permit, outcome) => {
        outcomes.push(outcome);
      },
    };
    await assertFaults(scene, four(sendJson(reply)), 'MALFORMED', () => ({ gate }));
    const failed = Object.keys(readsOf(scene)).map(() => ({ fault: 'MALFORMED' }));
    assert.deepEqual(outcomes, failed, `the breaker counts ${JSON.stringify(reply)}`);
  }
});

forEachAdapter('continues after a failure that passes', async (scene) => {
  for (const [name, read] of Object.entries(readsOf(scene))) {
    const expected = await read(openClient(scene));
    scene.server.script.push(sendJson({}, 503), cutBody, sendAnswer);
    assert.deepEqual(await read(openClient(scene)), expected, name);
  }
});

forEachAdapter('reports a refused connection', async (scene) => {
  await scene.server[Symbol.asyncDispose]();
  for (const read of Object.values(readsOf(scene))) {
    await assert.rejects(read(openClient(scene)), (error) => {
      assert.ok(error instanceof ProviderError && error.fault === 'UNREACHABLE', String(error));
      assertDiscreet(scene, error);
      return true;
    });
  }
});

const HOSTILE_IDS = [
  '../x',
  '..',
  '.',
  '/',
  '',
  ' ',
  'a/../../x',
  'a/../x',
  '%2e%2e',
  '%2e%2e%2fx',
  'a%2Fb',
  'a?b=c',
  'a&b=c',
  'a#b',
  'a;b',
  'a\\..\\x',
  'a\r\nb: c',
  'a\u0000b',
  'a b',
  'é/ü',
  '國內生產總值',
  '\ud800',
  '__proto__',
  'constructor/toString',
  'all',
  'ALL/all',
  'x'.repeat(257),
  `${'x'.repeat(200)}/${'y'.repeat(5_000)}`,
];

forEachAdapter('requests nothing else for a hostile series id or value', async (scene) => {
  const { adapter, server, series, unknownId } = scene;
  const { selection } = series[0] as SceneSeries;
  const http = openClient(scene);
  const read = async (seriesId: string, dimensions = selection.dimensions) => {
    server.requests.length = 0;
    for (const attempt of [
      () => adapter.readStructure(seriesId, http),
      () => adapter.readSeries({ seriesId, dimensions }, http),
    ]) {
      try {
        const result = await attempt();
        if (dimensions === selection.dimensions) assert.equal(result, null, `${JSON.stringify(seriesId)} exists`);
      } catch (error) {
        assert.ok(error instanceof ProviderError, `${JSON.stringify(seriesId)}: ${inspect(error)}`);
        assertDiscreet(scene, error);
      }
    }
    return [...server.requests];
  };
  await adapter.readStructure(selection.seriesId, http);
  await adapter.readSeries(selection, http);
  const usual = [...server.requests, ...(await read(unknownId))];
  const paths = new Set(usual.map(({ path }) => path));
  const names = new Set(usual.flatMap(({ query }) => Object.keys(query)));
  const check = (requests: typeof usual, hostile: string) => {
    for (const { path, query } of requests) {
      // A path either does not contain the text, or contains all of it in its place.
      const isUsual = paths.has(path) || decodeURIComponent(path).includes(hostile);
      assert.ok(isUsual, `${JSON.stringify(hostile)} leads to ${path}`);
      for (const name of Object.keys(query)) assert.ok(names.has(name), `${JSON.stringify(hostile)} adds ${name}`);
    }
  };
  for (const hostile of HOSTILE_IDS) {
    const requests = await read(hostile);
    check(requests, hostile);
    if (hostile.length > 256) assert.equal(requests.length, 0, 'a long id is not requested');
    for (const field of Object.keys(selection.dimensions)) {
      const chosen = { ...selection.dimensions, [field]: hostile };
      check(await read(selection.seriesId, chosen), hostile);
    }
  }
});
