import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanText } from './clean-text.ts';

test('returns a line that the database can store', () => {
  const cases = [
    ['GDP', 'GDP'],
    ['  Real\u0000GDP\r\n\tof  France ', 'Real GDP of France'],
    ['El PIB de España', 'El PIB de España'],
    ['a\ud800b', 'a\ufffdb'],
    ['\u0000\u0085\u2028', ''],
    ['x'.repeat(30), 'x'.repeat(20)],
    [`${'x'.repeat(19)} y`, 'x'.repeat(19)],
    [`${'x'.repeat(19)}😀`, `${'x'.repeat(19)}\ufffd`],
  ];
  for (const [text = '', expected] of cases) assert.equal(cleanText(text, 20), expected);
  assert.equal(cleanText('ab '.repeat(1_000_000), 20).length, 20);
});
