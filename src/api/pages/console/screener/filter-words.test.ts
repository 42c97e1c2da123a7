import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateShare } from './distribution.ts';
import { checkEntered, enterFilter, readEntered, toParams } from './entered.ts';
import { describeRules, formatFieldValue, formatMatches } from './filter-words.ts';
import { readNumber } from './read-number.ts';

test('describes a filter in one sentence', () => {
  const below = { field: 'rsi_14', op: 'lt', value: 30 };
  const crossing = { field: 'close', op: 'crosses_above', other_field: 'sma_50' };
  const range = { field: 'change_pct', op: 'between', value: [-1.5, 2000] };
  const cases: [Parameters<typeof describeRules>[0], string][] = [
    [{ universe: 'all', all: [below] }, 'All symbols whose RSI 14 is below 30.'],
    [
      { universe: 'all', all: [{ field: 'pct_from_52w_high', op: 'gte', value: -2 }] },
      'All symbols whose distance from its 52-week high is at least −2%.',
    ],
    [{ universe: ['AAPL'], all: [crossing] }, 'Those of AAPL whose close crosses above SMA 50.'],
    [
      { universe: ['A', 'B'], any: [below, range] },
      'Those of A and B whose RSI 14 is below 30 or change is between −1.5% and 2,000%.',
    ],
    [
      { universe: Array.from({ length: 500 }, (_, i) => `S${i}`), all: [below] },
      'Those of 500 symbols (S0, S1, S2, S3, S4, S5, …) whose RSI 14 is below 30.',
    ],
  ];
  for (const [rules, sentence] of cases) assert.equal(describeRules(rules), sentence);
});

test('formats values by the unit of their field', () => {
  const cases: [string, number | null, string][] = [
    ['close', 1234.567, '1,234.57'],
    ['close', 0.01234, '0.0123'],
    ['close', -3e13, '−3.00e+13'],
    ['change_pct', 1.234, '+1.23%'],
    ['change_pct', -0.001, '0.00%'],
    ['change_pct', -12, '−12.00%'],
    ['volume', 1234567.8, '1,234,568'],
    ['sma_200', null, '–'],
    ['future_field', 2, '2.00'],
  ];
  for (const [field, value, text] of cases) assert.equal(formatFieldValue(field, value), text, `${field} ${value}`);
  assert.deepEqual(
    [formatMatches(0, 0), formatMatches(1, 1), formatMatches(1200, 0)],
    ['No matches', '1 match, 1 new', '1,200 matches, none new'],
  );
});

test('reads numbers as people write them, and nothing else', () => {
  const cases: [string, number | null][] = [
    ['30', 30],
    [' -2.5 ', -2.5],
    ['−3', -3],
    ['+4', 4],
    ['.5', 0.5],
    ['12%', 12],
    ['2,000,000', 2_000_000],
    ['1.5m', 1_500_000],
    ['3 K', 3000],
    ['1e3', 1000],
    ['', null],
    ['-', null],
    ['e5', null],
    ['1,5', null],
    ['1.2.3', null],
    ['0x10', null],
    ['1e999', null],
    ['Infinity', null],
    ['five', null],
    ['1;2', null],
  ];
  for (const [text, value] of cases) assert.equal(readNumber(text), value, text);
});

test('keeps a filter the same on its way through the form and its address', () => {
  const filter = {
    name: 'Two & more',
    email: true,
    universe: ['BRK.B', '^GSPC'],
    any: [
      { field: 'volume', op: 'between', value: [-1e-7, 2_000_000] },
      { field: 'close', op: 'gte', other_field: 'sma_20' },
      { field: 'rsi_14', op: 'eq', value: 50 },
    ],
  };
  const entered = enterFilter(filter);
  const { name, email, ...rules } = filter;
  assert.deepEqual(checkEntered(entered), { rules });
  const read = readEntered(Object.fromEntries(toParams(entered)));
  assert.deepEqual(read, entered);
  assert.equal(readEntered({ name: 'x', part: 'preview' }), null);
});

test('names each field that is missing or not a number', () => {
  const entered = readEntered({
    universe: 'list',
    symbols: ' , ;',
    'field.0': 'close',
    'op.0': 'between',
    'value.0': 'x',
    'field.1': '__proto__',
    'op.1': 'outside',
  });
  const checked = checkEntered(entered ?? assert.fail());
  assert.deepEqual(Object.keys('errors' in checked ? checked.errors : {}), [
    'symbols',
    'value.0',
    'high.0',
    'field.1',
    'op.1',
    'value.1',
  ]);
  assert.deepEqual(checkEntered({ ...(entered ?? assert.fail()), universe: 'all', conditions: [] }), {
    errors: { '': 'Add at least one condition.' },
  });
});

test('refuses choices that the form does not offer, and lists of conditions with a gap', () => {
  const valid = { universe: 'all', combine: 'any', 'field.0': 'close', 'op.0': 'gt', 'value.0': '1' };
  const second = { 'op.5': 'between', 'value.5': '5', 'high.5': '1', 'field.5': 'volume' };
  for (const [fields, names] of [
    [{ universe: 'zz' }, ['universe']],
    [{ combine: 'zz' }, ['combine']],
    [second, ['', 'value.1']],
    [{ 'field.99999': 'close', 'value.99999': '2' }, ['']],
    [{ 'field.00': 'close', 'value.00': '2' }, ['']],
  ] as const) {
    const checked = checkEntered(readEntered({ ...valid, ...fields }) ?? assert.fail());
    assert.deepEqual(Object.keys('errors' in checked ? checked.errors : {}), names, JSON.stringify(fields));
  }
  assert.ok('rules' in checkEntered(readEntered(valid) ?? assert.fail()));
  assert.equal(readEntered({ ...valid, ...second })?.conditions[1]?.field, 'volume', 'nothing is dropped');
});

test('estimates the share of values in a range from quantiles', () => {
  const quantiles = [
    { level: 0, value: -10 },
    { level: 0.5, value: 0 },
    { level: 1, value: 20 },
  ];
  const share = (from: number, to: number) => estimateShare({ quantiles }, { from, to });
  const all = Number.POSITIVE_INFINITY;
  assert.deepEqual(
    [
      share(0, all),
      share(10, all),
      share(-all, -5),
      share(-5, 10),
      share(20.5, all),
      share(-all, -11),
      share(-all, all),
    ],
    [0.5, 0.25, 0.25, 0.5, 0, 0, 1],
  );
});
