import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEurostatScene } from '../../../../test/support/datasets/eurostat-scene.ts';
import {
  FRANCE,
  hasFault,
  openClient,
  startUnemployment,
  type UnemploymentScene,
} from '../../../../test/support/datasets/eurostat-unemployment.ts';
import { sendJson, sendText } from '../../../../test/support/platform/wire-server.ts';
import type { RawSeries, Selection } from '../provider.ts';

/** A reply in JSON-stat, whose parts a test replaces. */
interface Reply {
  class: unknown;
  label: unknown;
  id: unknown[];
  size: unknown[];
  value: unknown;
  status?: unknown;
  updated?: unknown;
  dimension: Record<string, { label?: unknown; category: { index: unknown; label?: unknown } }>;
  extension?: unknown;
}

type Change = (reply: Reply) => void;

/** Sets what `path` names, such as dimension.geo.category.index. */
function set(path: string, value: unknown): Change {
  return (reply) => {
    const names = path.split('.');
    const last = names.pop() as string;
    const parent = names.reduce<Record<string, unknown>>(
      (one, name) => one[name] as Record<string, unknown>,
      reply as unknown as Record<string, unknown>,
    );
    parent[last] = value;
  };
}

/** Reads the series of France from a reply that is the correct one with changes. */
async function readChanged(scene: UnemploymentScene, ...changes: readonly Change[]): Promise<RawSeries | null> {
  const query = new URLSearchParams({ format: 'JSON', lang: 'EN', ...FRANCE.dimensions });
  const reply = (await (await fetch(`${scene.server.url}/statistics/1.0/data/une_rt_q?${query}`)).json()) as Reply;
  for (const change of changes) change(reply);
  scene.server.script.push(sendJson(reply));
  return scene.adapter.readSeries(FRANCE, openClient());
}

test('reads cells in lists, missing marks and confidential series, and leaves out unknown weeks with a footnote', async () => {
  await using scene = await startUnemployment();
  const values = async (...changes: readonly Change[]) =>
    (await readChanged(scene, ...changes))?.observations.map(({ value }) => value);
  assert.deepEqual(await values(set('value', [1, null, ':'])), [1, Number.NaN, Number.NaN]);
  assert.deepEqual(await values(set('value', {})), [Number.NaN, Number.NaN, Number.NaN]);
  assert.deepEqual(await values(set('status', ['', null, 'p'])), [7.4, Number.NaN, 7.5]);
  assert.deepEqual(await values(set('dimension.geo.category.index', ['FR'])), [7.4, Number.NaN, 7.5]);
  assert.equal(await values(set('value', {}), set('status', undefined)), undefined);
  assert.equal(await values(set('size', [1, 0, 1, 1, 1, 3]), set('dimension.s_adj.category.index', {})), undefined);
  const empty = set('dimension.time.category.index', {});
  assert.equal(await values(empty, set('size', [1, 1, 1, 1, 1, 0]), set('value', {}), set('status', {})), undefined);

  await using weekly = await createEurostatScene();
  const deaths = weekly.series.find(({ frequency }) => frequency === '1W-MON') as { readonly selection: Selection };
  const query = new URLSearchParams({ format: 'JSON', lang: 'EN', ...deaths.selection.dimensions });
  const reply = (await (
    await fetch(`${weekly.server.url}/statistics/1.0/data/${deaths.selection.seriesId}?${query}`)
  ).json()) as Reply;
  set('value.4', 31)(reply);
  weekly.server.script.push(sendJson(reply));
  const series = await weekly.adapter.readSeries(deaths.selection, openClient());
  assert.equal(series?.observations.length, 5);
  assert.deepEqual(series?.footnotes, ['Values without a known week (W99) are left out: 1.']);
});

test('accepts further fields and a byte order mark, and cuts long labels', async () => {
  await using scene = await startUnemployment();
  const series = await readChanged(
    scene,
    set('link', { alternate: [] }),
    set('role', { time: ['time'] }),
    set('dimension.unit.note', ['x']),
    set('dimension.unit.category.unit', {}),
    set('dimension.unit.category.label', { PC_ACT: `a\u0000b\t ${'x'.repeat(50_000)}`, other: 7 }),
    set('extension.new', null),
    set('label', 'x'.repeat(50_000)),
  );
  assert.equal(series?.observations.length, 3);
  assert.equal(series.details.units, `a b ${'x'.repeat(1_996)}`);

  const query = new URLSearchParams({ format: 'JSON', lang: 'EN', ...FRANCE.dimensions });
  const text = await (await fetch(`${scene.server.url}/statistics/1.0/data/une_rt_q?${query}`)).text();
  scene.server.script.push(sendText(`\ufeff${text}\r\n`));
  assert.equal((await scene.adapter.readSeries(FRANCE, openClient()))?.observations.length, 3);
});

test('states the last update only if it is an instant', async () => {
  await using scene = await startUnemployment();
  const lastUpdate = async (value: unknown) => (await readChanged(scene, set('updated', value)))?.details.lastUpdate;
  assert.equal(await lastUpdate('2024-06-13T23:00:00.25+02:00'), '2024-06-13T21:00:00.250Z');
  for (const value of ['2024-02-30T23:00:00+0200', '2024-06-13', 7, null])
    assert.equal(await lastUpdate(value), undefined);
});

const MALFORMED: Readonly<Record<string, readonly Change[]>> = {
  'another class': [set('class', 'collection')],
  'no title': [set('label', ' ')],
  'no dimensions': [set('id', []), set('size', [])],
  'fewer sizes than dimensions': [set('size', [1, 1, 1, 1, 1])],
  'a size that is not the number of values': [set('size', [1, 1, 1, 1, 1, 4])],
  'a dimension that is not described': [set('id', ['freq', 's_adj', 'age', 'unit', 'toString', 'time'])],
  'another dimension': [
    set('id', ['freq', 's_adj', 'age', 'unit', 'sex', 'time']),
    set('dimension.sex', { category: { index: { FR: 0 } } }),
  ],
  'a dimension with the name of a parameter': [
    set('id', ['freq', 's_adj', 'age', 'unit', 'sinceTimePeriod', 'time']),
    set('dimension.sinceTimePeriod', { category: { index: { FR: 0 } } }),
  ],
  'another value': [set('dimension.geo.category.index', { DE: 0 })],
  'two series': [set('dimension.geo.category.index', { FR: 0, DE: 1 }), set('size', [1, 1, 1, 1, 2, 3])],
  'a value with a dot': [set('dimension.geo.category.index', { 'F.R': 0 })],
  'another data set': [set('extension.id', 'UNE_RT_M')],
  'a code of the data set that is not a text': [set('extension.id', 7)],
  'flags that are null': [set('status', null)],
  'two periods at one position': [
    set('dimension.time.category.index', { '2023-Q3': 0, '2023-Q4': 1, '2024-Q1': 1 }),
    set('size', [1, 1, 1, 1, 1, 2]),
    set('value', { 0: 1 }),
    set('status', {}),
  ],
  'a position that is not an integer': [set('dimension.time.category.index', { '2023-Q3': 0, '2023-Q4': 1.5 })],
  'a position beyond the size': [set('dimension.time.category.index', { '2023-Q3': 0, '2023-Q4': 1, '2024-Q1': 3 })],
  'a huge position': [set('dimension.time.category.index', { '2023-Q3': 4_000_000_000 })],
  'a period that is none': [set('dimension.time.category.index', ['2023-Q3', '2023-Q5', '2024-Q1'])],
  'a value of another frequency': [set('dimension.time.category.index', ['2023-Q3', '2023-Q4', '2024'])],
  'a flag of another frequency': [set('dimension.time.category.index', ['2023-Q3', '2023', '2024-Q1'])],
  'no values': [set('value', undefined)],
  'a list of values that is too short': [set('value', [1, 2])],
  'a cell beyond the cube': [set('value', { 3: 1 })],
  'a cell that is not a position': [set('value', { '00': 1 })],
  'a value that is a text': [set('value', { 0: '7.4' })],
  'a flag that is not a text': [set('status', { 0: 7 })],
  'a long flag': [set('status', { 0: 'p'.repeat(17) })],
  'an error of another kind': [set('error', [{ status: 500, id: 500, label: 'x' }])],
};

for (const [name, changes] of Object.entries(MALFORMED)) {
  test(`refuses a reply with ${name}`, async () => {
    await using scene = await startUnemployment();
    await assert.rejects(readChanged(scene, ...changes), hasFault('MALFORMED'));
  });
}

test('distinguishes replies without a cube', async () => {
  await using scene = await startUnemployment();
  const { adapter, server } = scene;
  const error = (status: number, id: number, label: string) => ({ error: [{ status, id, label }] });
  const dimensionError = error(400, 150, 'INVALID_QUERY_DIMENSION: Dimension "SEX" is not defined');
  for (const reply of [
    sendJson(error(200, 100, 'NO_RESULTS')),
    sendJson(error(404, 100, 'ERR_NOT_FOUND_4: UNE_RT_Q is not available for dissemination.')),
    sendJson(error(400, 100, 'NO_RESULTS'), 400),
    sendJson(dimensionError, 400),
  ]) {
    server.script.push(reply);
    assert.equal(await adapter.readSeries(FRANCE, openClient()), null);
  }
  const fault = '<S:Fault><faultcode>413</faultcode><faultstring>EXTRACTION_TOO_BIG: 9</faultstring></S:Fault>';
  for (const reply of [
    sendJson(error(413, 413, 'ASYNCHRONOUS_RESPONSE'), 413),
    sendText(fault, 413, { 'content-type': 'application/xml' }),
    sendJson({ warning: { status: 413, label: 'ASYNCHRONOUS_RESPONSE' } }),
  ]) {
    server.script.push(reply);
    await assert.rejects(adapter.readSeries(FRANCE, openClient()), hasFault('TOO_LARGE'));
  }
  server.script.push(sendJson(error(400, 140, 'SYNTAX'), 400));
  await assert.rejects(adapter.readSeries(FRANCE, openClient()), hasFault('REJECTED'));
  server.script.push(sendText('', 401));
  await assert.rejects(adapter.readSeries(FRANCE, openClient()), hasFault('UNAUTHORIZED'));
});
