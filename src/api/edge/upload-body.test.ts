import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { openUpload } from './upload-body.ts';

const LIMIT = 1024 ** 2;

function requestOf(headers: Record<string, string>, body?: Readable): FastifyRequest {
  return { headers: { 'content-type': 'text/csv', ...headers }, body } as unknown as FastifyRequest;
}

function bodyOf(headers: Record<string, string> = {}, body?: Readable) {
  return openUpload(requestOf(headers, body), { mediaType: 'text/csv', limit: LIMIT });
}

async function bytesIn(chunks: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

/** Simulates a client that sends until it is stopped, and counts the bytes it sent. */
function endless(): { readonly body: Readable; readonly sent: () => number } {
  const piece = Buffer.alloc(16_384, 'x');
  let sent = 0;
  const body = new Readable({
    read() {
      sent += piece.length;
      this.push(piece);
    },
  });
  return { body, sent: () => sent };
}

test('reads the parameters of the media type', () => {
  const nothing = { encoding: null, header: null, delimiter: null, dates: null };
  const cases: [string, object][] = [
    ['text/csv', {}],
    ['TEXT/CSV;charset=UTF-8', { encoding: 'utf-8' }],
    ['text/csv; header=absent', { header: 'absent' }],
    ['text/csv; charset="iso-8859-1" ; header="present"', { encoding: 'windows-1252', header: 'present' }],
    ['text/csv; charset=utf-16', { encoding: 'utf-16be' }],
    ['text/csv; delimiter=semicolon; dates=day_first', { delimiter: ';', dates: 'day_first' }],
    ['text/csv; Dates="MONTH_FIRST"; delimiter=tab', { delimiter: '\t', dates: 'month_first' }],
    ['text/csv; delimiter=comma', { delimiter: ',' }],
    ['text/csv; delimiter=pipe', { delimiter: '|' }],
    ['text/csv; something=else', {}],
  ];
  for (const [type, said] of cases) {
    assert.deepEqual(bodyOf({ 'content-type': type }).declared, { ...nothing, ...said }, type);
  }
});

test('refuses other media types and encoded bodies', () => {
  for (const type of [
    'application/json',
    'text/plain',
    'text/csvx',
    '',
    'text/csv; charset=koi8-r',
    'text/csv; header=maybe',
  ]) {
    assert.throws(() => bodyOf({ 'content-type': type }), { code: 'UNSUPPORTED_MEDIA_TYPE' }, type);
  }
  const mistaken: [string, string][] = [
    ['dates=iso', 'dates: must be one of day_first, month_first.'],
    ['dates', 'dates: must be one of day_first, month_first.'],
    ['delimiter=,', 'delimiter: must be one of comma, semicolon, tab, pipe.'],
    ['delimiter=constructor', 'delimiter: must be one of comma, semicolon, tab, pipe.'],
  ];
  for (const [parameter, message] of mistaken) {
    const type = `text/csv; ${parameter}`;
    assert.throws(() => bodyOf({ 'content-type': type }), { code: 'INVALID_REQUEST', message }, type);
  }
  assert.throws(() => bodyOf({ 'content-encoding': 'gzip' }), { code: 'UNSUPPORTED_MEDIA_TYPE' });
  assert.ok(bodyOf({ 'content-encoding': 'identity' }));
});

test('refuses an excessive length before any byte is read', () => {
  const { body, sent } = endless();
  const refusal = { code: 'TOO_LARGE', message: 'The file exceeds the size limit of 1 MiB.' };
  assert.throws(() => bodyOf({ 'content-length': String(LIMIT + 1) }, body), refusal);
  assert.equal(sent(), 0);
  assert.ok(bodyOf({ 'content-length': String(LIMIT) }, body));
});

test('reads a body without a length up to the limit, and only as fast as it is consumed', async () => {
  const { body, sent } = endless();
  let taken = 0;
  await assert.rejects(
    async () => {
      for await (const chunk of bodyOf({}, body).chunks) {
        taken += chunk.length;
        await new Promise((resolve) => setImmediate(resolve));
        assert.ok(sent() - taken <= 4 * 65_536, `${sent() - taken} bytes are buffered`);
      }
    },
    { code: 'TOO_LARGE' },
  );
  assert.ok(taken <= LIMIT && taken > LIMIT - 65_536 - 1, `${taken} bytes`);
  assert.equal(body.destroyed, false, 'the connection stays open for the response');
  await new Promise((resolve) => body.once('close', resolve));
  assert.ok(sent() < 2 * LIMIT + 4 * 65_536, 'but not without limit');
});

test('accepts a file of exactly the maximum size and a request without a body', async () => {
  assert.equal(await bytesIn(bodyOf({}, Readable.from([Buffer.alloc(LIMIT)])).chunks), LIMIT);
  assert.equal(await bytesIn(bodyOf().chunks), 0);
});

test('drops the rest of a refused file, so that its sender can read the response', async () => {
  const body = Readable.from(Array.from({ length: 16 }, () => Buffer.alloc(65_536)));
  const ended = new Promise((resolve) => body.once('end', resolve));
  for await (const _ of bodyOf({}, body).chunks) break;
  await ended;
});
