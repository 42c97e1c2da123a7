import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNameProblem, name } from './names.ts';

const field = name({ max: 40 });

/** Returns the messages for a refused name. */
function problemsOf(text: unknown): string[] {
  return field.safeParse(text).error?.issues.map(({ message }) => message) ?? [];
}

test('accepts any visible line as a name', () => {
  for (const text of [
    'Rates desk',
    'Größe',
    '売上',
    'מכירות 2024',
    '👩‍🚀',
    'a\u200bb',
    '-',
    '=SUM(A1)',
    'e\u0301',
    'https://example.org',
  ]) {
    assert.deepEqual(problemsOf(text), [], text);
    assert.equal(field.parse(text), text);
  }
  assert.equal(field.parse(' \tsales.csv \n'), 'sales.csv', 'removes surrounding blanks');
});

const CONTROLS = 'must be one line without control characters';
const DIRECTION = /^must not contain characters that change the text direction/;
const INVISIBLE = 'must contain a visible character';

test('reports one reason for a refused name', () => {
  for (const text of ['a\u0000b', 'a\rb', 'a\nb', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u2029b', '\u0000']) {
    assert.deepEqual(problemsOf(text), [CONTROLS], JSON.stringify(text));
  }
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
    const [problem, ...others] = problemsOf(`fdp${String.fromCodePoint(code)}.exe`);
    assert.match(problem ?? '', DIRECTION, code.toString(16));
    assert.deepEqual(others, []);
  }
  for (const text of ['\u200b', '\u2060\u200d', '\u3164', '\u2800', '\u00ad', '\u0301', '\ufe0f', '\u{e0020}']) {
    assert.deepEqual(problemsOf(text), [INVISIBLE], JSON.stringify(text));
  }
  for (const text of ['a\ud800', '\udc00b']) {
    assert.deepEqual(problemsOf(text), ['must not contain lone surrogate characters']);
  }
  for (const text of ['', ' ', '\n', '\u3000', '\ufeff'])
    assert.equal(problemsOf(text).length, 1, JSON.stringify(text));
  assert.equal(problemsOf('x'.repeat(41)).length, 1);
  assert.equal(problemsOf(5).length, 1);
});

test('findNameProblem checks a name without a schema', () => {
  assert.equal(findNameProblem('Rates desk'), null);
  assert.equal(findNameProblem('a\nb'), CONTROLS);
});
