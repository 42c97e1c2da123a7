import fc, { type Arbitrary } from 'fast-check';
import type { ApiOperation } from './openapi.ts';

const CRLF = '\r\n';

/** Requests as bytes, malformed in ways that no HTTP client sends. Every request asks to close its connection. */
export function rawRequests(operations: readonly ApiOperation[]): Arbitrary<Buffer> {
  const templates = fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom('1.1', '1.0'), fc.string({ maxLength: 40 }))
    .map(([{ method, path }, version, text]) => {
      const body = JSON.stringify({ text });
      return `${method} ${path.replace(/[{}]/g, '')} HTTP/${version}${CRLF}Host: x${CRLF}Connection: close${CRLF}Content-Type: application/json${CRLF}Content-Length: ${Buffer.byteLength(body)}${CRLF}${CRLF}${body}`;
    });
  return fc.oneof(
    fc.tuple(templates, fc.nat()).map(([text, at]) => Buffer.from(text).subarray(0, at % text.length)),
    fc.tuple(templates, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 3 })).map(([text, at, bytes]) => {
      const whole = Buffer.from(text);
      const start = at % whole.length;
      return Buffer.concat([whole.subarray(0, start), bytes, whole.subarray(start + bytes.length)]);
    }),
    fc
      .tuple(templates, brokenHeaders)
      .map(([text, line]) => Buffer.from(text.replace(CRLF, `${CRLF}${line}${CRLF}`), 'latin1')),
    fc.tuple(templates, brokenChunks).map(([text, chunks]) => chunked(text, chunks)),
    fc
      .tuple(templates, templates)
      .map(([first, second]) => Buffer.from(first.replace(`Connection: close${CRLF}`, '') + second)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'GET / HTTP/2.0',
        'PRI * HTTP/2.0\r\n\r\nSM',
        'CONNECT x:1 HTTP/1.1\r\nHost: x',
        '\x16\x03\x01\x00\xa5\x01',
        `GET /${'a'.repeat(30_000)}`,
        '\0'.repeat(50),
      )
      .map((text) => Buffer.from(`${text}${CRLF}${CRLF}`, 'latin1')),
  );
}

const brokenHeaders = fc.oneof(
  fc.constantFrom(
    'Content-Length: 99999999999999999999',
    'Content-Length: -1',
    'Content-Length: 0x10',
    'Content-Length: 3, 4',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: identity',
    'Transfer-Encoding : chunked',
    ' folded: yes',
    'No colon here',
    ': no name',
    'X:\x00',
    'X: \x7f\x01',
    'Host: a\r\nHost: b',
    'Expect: 100-continue',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings',
  ),
  fc.integer({ min: 1, max: 40_000 }).map((size) => `X-Large: ${'x'.repeat(size)}`),
  fc.integer({ min: 1, max: 3_000 }).map((count) => Array.from({ length: count }, (_, i) => `X-${i}: 1`).join(CRLF)),
);

const brokenChunks = fc.oneof(
  fc.constantFrom(
    'zz\r\n',
    '5\r\nabc',
    '-1\r\n\r\n',
    'ffffffffffffffff\r\n',
    '1;ext="\r\n',
    '0\r\nTrailer: x\r\n\r\n',
    '3\r\nabcd\r\n0\r\n\r\n',
    '\r\n',
    '2\r\n{}\r\n0\r\n\r\n',
  ),
  fc.string({ maxLength: 30 }),
);

function chunked(text: string, chunks: string): Buffer {
  const [head = ''] = text.split(CRLF + CRLF, 1);
  return Buffer.from(
    `${head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}${CRLF}${CRLF}${chunks}`,
    'latin1',
  );
}
