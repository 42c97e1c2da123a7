import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { AdapterScene, SceneSeries } from '../../../test/support/datasets/adapter-scene.ts';
import { forEachAdapter, openClient, readAll } from '../../../test/support/datasets/each-adapter.ts';
import {
  assertValidDimension,
  assertValidEntries,
  assertValidSeries,
  assertValidStructure,
  statedFrequency,
} from '../../../test/support/datasets/valid-series.ts';
import type { ProviderClient } from '../../platform/index.ts';
import { buildRows } from './build-rows.ts';
import type { RawSeries, SeriesStructure } from './provider.ts';

// What every adapter does, whatever its protocol: it returns exactly the rows of the provider, or a named error.

async function readStructure({ adapter }: AdapterScene, id: string, http: ProviderClient): Promise<SeriesStructure> {
  const structure = await adapter.readStructure(id, http);
  assert.ok(structure, `${id} has a structure`);
  return structure;
}

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
    assert.deepEqual(
      structure.dimensions.map(({ field }) => field).sort(),
      Object.keys(selection.dimensions).sort(),
      `the dimensions of ${selection.seriesId}`,
    );
    for (const { field, values } of structure.dimensions) {
      const chosen = selection.dimensions[field];
      assert.ok(
        values.some(({ value }) => value === chosen),
        `${chosen} is a value of ${field}`,
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
