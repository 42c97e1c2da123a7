import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAlmanac } from '../../support/cli/almanac-process.ts';
import { EMPTY_FOLDER } from '../../support/forecasts/forecast-service.ts';
import { MESSY_FILES } from './messy-files.ts';

const environment = { ALMANAC_DATA: EMPTY_FOLDER };

for (const { name, bytes, options = [], rows, reading = {}, refused } of MESSY_FILES) {
  test(`a file from real life is ${rows ? 'read' : 'refused'}: ${name}`, async () => {
    const { code, stdout, stderr } = await callAlmanac(['history', '-', ...options], environment, bytes);
    if (rows === undefined) {
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, /^almanac: standard input: .*\n$/, 'one line');
      assert.match(stderr, refused ?? /never/);
      return;
    }
    assert.equal(code, 0, stderr);
    const read = JSON.parse(stdout);
    const rowOf = ({ timestamp, value }: { timestamp: string; value: number }) => [timestamp.slice(0, 10), value];
    assert.deepEqual([read.count, rowOf(read.rows[0]), rowOf(read.rows.at(-1))], rows);
    const { skipped, ...found } = read.reading;
    const lines = { ...found, skipped: skipped.map(({ line }: { line: number }) => line) };
    assert.deepEqual(Object.fromEntries(Object.keys(reading).map((key) => [key, lines[key]])), reading);
    assert.match(stderr, /^Read \d+ rows of standard input: times in .*--time/, 'what was inferred is said');
  });
}
