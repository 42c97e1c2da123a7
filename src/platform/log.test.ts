import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { withoutSecrets } from './without-secrets.ts';

function logged(object: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  ).info(object, 'message');
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '');
}

test('a secret is left out by its name, wherever it is', () => {
  const line = logged({
    password: 'p',
    headers: { authorization: 'a', cookie: 'c', accept: 'all' },
    list: [{ key: 'k', id: 1 }],
    deep: { deeper: { token: 't' } },
  });
  assert.equal(line.password, '[secret]');
  assert.deepEqual(line.headers, { authorization: '[secret]', cookie: '[secret]', accept: 'all' });
  assert.deepEqual(line.list, [{ key: '[secret]', id: 1 }]);
  assert.deepEqual(line.deep, { deeper: { token: '[secret]' } });
  assert.equal(line.msg, 'message');
});

test('an error keeps its type, message, stack and properties, but for the secrets among them', () => {
  const inner = Object.assign(new Error('inner'), { secret: 's' });
  const error = Object.assign(new AggregateError([inner], 'outer'), { code: 'E_X', key: 'k', sent: { cookie: 'c' } });
  for (const name of ['err', 'error']) {
    const shown = logged({ [name]: error })[name] as Record<string, unknown>;
    assert.equal(shown.type, 'AggregateError');
    assert.equal(shown.message, 'outer');
    assert.match(String(shown.stack), /AggregateError: outer\n {4}at /);
    assert.equal(shown.code, 'E_X');
    assert.equal(shown.key, '[secret]');
    assert.deepEqual(shown.sent, { cookie: '[secret]' });
    const [first] = shown.aggregateErrors as Record<string, unknown>[];
    assert.equal(first?.message, 'inner');
    assert.equal(first?.secret, '[secret]');
  }
  assert.equal(logged({ err: 'no error at all' }).err, 'no error at all');
});

test('dates and bytes are written as they are', () => {
  const when = new Date();
  assert.equal(logged({ when }).when, when.toISOString());
  assert.ok(logged({ bytes: Buffer.from('abc') }).bytes);
  assert.ok(logged({ bytes: new Uint8Array(3) }).bytes);
});

test('an object without secrets is not copied, one with secrets not changed', () => {
  const clean = { a: { b: [1, { c: null }] } };
  assert.equal(withoutSecrets(clean), clean);
  const secret = { a: { key: 'k' } };
  assert.notEqual(withoutSecrets(secret), secret);
  assert.equal(secret.a.key, 'k');
});

test('an object that holds itself can be logged', () => {
  const circle: Record<string, unknown> = { token: 't' };
  circle.self = circle;
  assert.equal(logged(circle).token, '[secret]');
});
