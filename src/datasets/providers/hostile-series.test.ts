import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { SceneSeries } from '../../../test/support/datasets/adapter-scene.ts';
import { assertDiscreet, forEachAdapter, openClient } from '../../../test/support/datasets/each-adapter.ts';
import { ProviderError } from '../../platform/index.ts';

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
  'constructor',
  'toString',
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
      // A path does not contain the text, or contains all of it in its place, or its first part as one segment.
      const [first = ''] = hostile.split('/');
      const hasFirst = /^\w+$/.test(first) && path.split('/').includes(first);
      const isUsual = paths.has(path) || hasFirst || decodeURIComponent(path).includes(hostile);
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
