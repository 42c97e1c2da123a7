import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations as listed } from '../../client/src/generated/operations.ts';
import { Almanac } from '../../client/src/index.ts';
import { GENERATED_FOLDER, generateSources } from '../../scripts/client/generate.ts';
import { type Operation, operations } from '../../src/contract/index.ts';

test('the generated sources of the client are those of this build', () => {
  for (const [name, text] of Object.entries(generateSources())) {
    const committed = readFileSync(join(GENERATED_FOLDER, name), 'utf8');
    // A difference of thousands of lines would hide the remedy.
    assert.ok(committed === text, `client/src/generated/${name} is outdated. Run "npm run build:client".`);
  }
});

test('the client has a method for every operation', () => {
  const almanac = new Almanac({ url: 'http://127.0.0.1:1' }) as unknown as Record<string, Record<string, unknown>>;
  const missing = Object.entries(listed).filter(([, { namespace, name }]) => {
    return typeof almanac[namespace]?.[name] !== 'function';
  });
  assert.deepEqual(missing, []);
  assert.deepEqual(Object.keys(listed).sort(), Object.keys(operations).sort());
});

test('these POST operations store nothing or have the same effect again, and no other one is sent again', () => {
  const safe = Object.entries(listed).filter(([, { method, repeat }]) => method === 'POST' && repeat === 'safe');
  assert.deepEqual(safe.map(([id]) => id).sort(), [
    'cancelForecast',
    'describeSeries',
    'estimateForecast',
    'previewEventsFromForecast',
    'previewScreenerAlert',
    'previewSeries',
    'readObservations',
    'readStockHistory',
    'saveForecast',
    'searchSeries',
  ]);
});

test('only operations that may be repeated are sent again', () => {
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const { repeat, method } = listed[id as keyof typeof listed];
    assert.equal(repeat === 'key', operation.repeatable === true, id);
    if (method === 'PATCH') assert.equal(repeat, 'never', id);
    // A write that creates something and takes no key must not be sent twice.
    if (method === 'POST' && operation.status === 201) assert.equal(repeat, 'never', id);
  }
});
