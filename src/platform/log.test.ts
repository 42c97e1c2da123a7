import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLog, formatLogLine, withoutSecrets } from './log.ts';

function logged(object: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  ).info(object, 'message');
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '');
}

test('censors secrets by their names at any depth', () => {
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

test('keeps the type, message, stack and properties of an error, except its secrets', () => {
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

test('writes dates and bytes unchanged', () => {
  const when = new Date();
  assert.equal(logged({ when }).when, when.toISOString());
  assert.ok(logged({ bytes: Buffer.from('abc') }).bytes);
  assert.ok(logged({ bytes: new Uint8Array(3) }).bytes);
});

test('copies only objects with secrets and changes none', () => {
  const clean = { a: { b: [1, { c: null }] } };
  assert.equal(withoutSecrets(clean), clean);
  const secret = { a: { key: 'k' } };
  assert.notEqual(withoutSecrets(secret), secret);
  assert.equal(secret.a.key, 'k');
});

test('logs an object that contains itself', () => {
  const circle: Record<string, unknown> = { token: 't' };
  circle.self = circle;
  assert.equal(logged(circle).token, '[secret]');
});

test('writes readable lines to a terminal and JSON to anything else', () => {
  const write = (isTTY: boolean): string => {
    const chunks: string[] = [];
    const stream = new PassThrough().on('data', (chunk) => chunks.push(String(chunk)));
    createLog('info', Object.assign(stream, { isTTY })).info({ reason: 'SIGINT', password: 'p' }, 'stopping');
    return chunks.join('');
  };
  assert.match(write(true), /^\d\d:\d\d:\d\d INFO {2}stopping reason="SIGINT" password="\[secret\]"\n$/);
  assert.partialDeepStrictEqual(JSON.parse(write(false)), { level: 30, msg: 'stopping', reason: 'SIGINT' });
});

test('puts the stack of an error below its readable line', () => {
  const line = JSON.stringify({
    level: 50,
    time: 0,
    msg: 'failed',
    err: { message: 'no', stack: 'Error: no\n    at x' },
  });
  assert.match(formatLogLine(line), /^\d\d:\d\d:\d\d ERROR failed\n {2}Error: no\n {6}at x\n$/);
  assert.match(formatLogLine(JSON.stringify({ level: 40, time: 0, err: 'plain' })), /WARN\n {2}"plain"\n$/);
});

test('a log on a full disk loses its lines, and the process continues', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const script = `const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, 'log.ts'))});
      const log = createLog('info');
      for (let line = 0; line < 100; line += 1) log.info({ line }, 'lost');
      setTimeout(() => process.stdout.write('continued'), 50);`;
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
    const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', full], encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, 'continued']);
  } finally {
    closeSync(full);
  }
});
