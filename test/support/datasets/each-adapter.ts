import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { ListedEntry } from '../../../src/datasets/providers/provider.ts';
import { createProviderClient, type ProviderClient, type ProviderClientOptions } from '../../../src/platform/index.ts';
import type { AdapterScene, SceneSeries } from './adapter-scene.ts';
import { ADAPTER_SCENES } from './adapter-scenes.ts';

// What the suites over all adapters share.

const MAX_BATCH = 1_000;

/** Registers a test for each adapter, with a server of its own. */
export function forEachAdapter(name: string, work: (scene: AdapterScene) => Promise<void>): void {
  for (const [id, create] of ADAPTER_SCENES) {
    test(`${id}: ${name}`, async () => {
      await using scene = await create();
      assert.equal(scene.adapter.id, id);
      await work(scene);
    });
  }
}

export function openClient({ adapter }: AdapterScene, options: Partial<ProviderClientOptions> = {}): ProviderClient {
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
export function readsOf(scene: AdapterScene): Record<string, (http: ProviderClient) => Promise<unknown>> {
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

export async function readAll(batches: AsyncIterable<readonly ListedEntry[]>): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  for await (const batch of batches) {
    assert.ok(batch.length > 0 && batch.length <= MAX_BATCH, `a batch of ${batch.length} entries`);
    entries.push(...batch);
  }
  return entries;
}

/** Checks that an error contains neither a key nor any part of a reply, an address or a query. */
export function assertDiscreet({ key, server }: AdapterScene, error: Error): void {
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
