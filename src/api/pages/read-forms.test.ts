import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { parseForm } from './forms.ts';

const parse = (text: string) => parseForm(Buffer.from(text));

test('reads a form as browsers encode it', () => {
  assert.deepEqual(parse('email=a%40b.example&password=one+two%2Bthree&empty='), {
    email: 'a@b.example',
    password: 'one two+three',
    empty: '',
  });
  assert.deepEqual(parse(''), {});
});

test('refuses a duplicate field by name in any encoding', () => {
  for (const text of ['email=a&email=b', 'email=a&x=1&%65mail=a', 'email&email']) {
    assert.throws(
      () => parse(text),
      (error) => error instanceof Fault && error.code === 'INVALID_REQUEST' && error.message.startsWith('email: '),
      text,
    );
  }
});

test('treats names of object properties as ordinary fields', () => {
  const fields = parse('__proto__=x&constructor=y');
  assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  assert.equal(({} as Record<string, unknown>).x, undefined);
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor']);
});

test('refuses bytes that are not UTF-8', () => {
  assert.throws(() => parseForm(Buffer.from([0x61, 0x3d, 0xff])), /not valid UTF-8/);
  for (const text of ['a=%ff', '%C3=a', 'a=%C3&b=%A4', 'a=%c3+%a4', 'a=%ED%A0%80', 'a=x%C0%80', 'a=%F5%80%80%80'])
    assert.throws(() => parse(text), { code: 'INVALID_REQUEST', message: /not valid UTF-8/ }, text);
  assert.deepEqual(parse('a=%C3%A4%E4%B8%AD%F0%9F%91%8D&b=100%&c=%zz'), { a: 'ä中👍', b: '100%', c: '%zz' });
});
