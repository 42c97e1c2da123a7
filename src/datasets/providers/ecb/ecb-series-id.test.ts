import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatKey, parseSeriesId } from './ecb-series-id.ts';

test('splits a series id into the data flow and the key of a series', () => {
  assert.deepEqual(parseSeriesId('EXR'), { flow: 'EXR', key: null });
  assert.deepEqual(parseSeriesId('EXR/D.USD.EUR.SP00.A'), { flow: 'EXR', key: 'D.USD.EUR.SP00.A' });
  assert.deepEqual(parseSeriesId('FM/M.U2.EUR.RT.MM.EURIBOR3MD_.HSTA')?.key, 'M.U2.EUR.RT.MM.EURIBOR3MD_.HSTA');
});

test('refuses wildcards and whatever cannot be an id of the ECB', () => {
  const wildcards = [
    'EXR/D..EUR.SP00.A',
    'EXR/D.USD+JPY.EUR.SP00.A',
    'EXR/all',
    'EXR/ALL',
    'EXR/',
    'EXR/.',
    'EXR/*',
    'ALL',
  ];
  const others = [
    '',
    '/',
    '..',
    'EXR/..',
    'exr',
    'EXR/d.USD',
    'EXR/D.USD/x',
    'EXR?x',
    'EX R',
    'ECB,EXR',
    'X'.repeat(65),
  ];
  for (const id of [...wildcards, ...others, `EXR/${'D.'.repeat(130)}D`]) assert.equal(parseSeriesId(id), null, id);
});

test('forms a key only of codes', () => {
  assert.equal(formatKey(['D', 'USD', '_Z', 'a-b']), 'D.USD._Z.a-b');
  for (const values of [[], [''], ['D', ''], ['D', 'A+B'], ['D', '..'], ['D', 'A.B'], ['D/']]) {
    assert.equal(formatKey(values), null);
  }
});
