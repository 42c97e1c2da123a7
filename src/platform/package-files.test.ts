import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import { test } from 'node:test';
import {
  findPackageFile,
  readPackageCsv,
  readPackageFile,
  readPackageJson,
  readPackageLabel,
} from './package-files.ts';

test('finds a file whether or not its package exports it', async () => {
  const rows = await readPackageCsv({ package: 'vega-datasets', path: 'data/sp500.csv' }, ['date', 'price']);
  assert.equal(rows.length, 123);
  assert.match(await readPackageFile({ package: '@observablehq/sample-datasets', path: 'aapl.csv' }), /^Date,Open/);
  assert.equal(await readPackageLabel('vega-datasets'), 'vega-datasets@3.2.1');
});

test('names a file that is missing or unreadable', async () => {
  const nowhere = { package: 'vega-datasets', path: 'data/nowhere.csv' };
  await assert.rejects(readPackageFile(nowhere), /^Error: vega-datasets\/data\/nowhere\.csv is not installed\.$/);
  await assert.rejects(readPackageFile({ package: 'vega-datasets', path: 'data' }), /cannot be read/);
  await assert.rejects(readPackageJson({ package: 'vega-datasets', path: 'data/sp500.csv' }), /is not JSON/);
});

test('finds the path of a file', async () => {
  const path = await findPackageFile({ package: 'vega-datasets', path: 'data/sp500.csv' });
  assert.ok(isAbsolute(path) && path.endsWith('vega-datasets/data/sp500.csv'), path);
  await assert.rejects(findPackageFile({ package: 'vega-datasets', path: 'data/nowhere.csv' }), /is not installed/);
});
