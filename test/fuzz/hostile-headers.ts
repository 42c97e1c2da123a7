import fc, { type Arbitrary } from 'fast-check';

export type Headers = Readonly<Record<string, string>>;

/** Any text that Node's client accepts as a header value. */
const wireText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), { maxLength: 100 })
  .map((codes) => String.fromCharCode(...codes));

/** Long text that does not compress and has no comma, so that it is one item of a list. */
const longText = fc
  .integer({ min: 1, max: 2 ** 31 - 1 })
  .chain((seed) => fc.integer({ min: 2_000, max: 7_000 }).map((length) => randomText(seed, length)));

const authorization = fc.oneof(
  fc.constantFrom(
    'Bearer',
    'Bearer ',
    'bearer x',
    'Basic dXNlcjpwYXNz',
    'Bearer alm_pat_',
    `Bearer alm_pat_${'0'.repeat(49)}`,
    'Bearer a b',
    'Bearer a,Bearer b',
    'Digest username="x"',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    `Bearer ${'A'.repeat(8_000)}`,
    `Bearer ${' '.repeat(8_000)}x`,
  ),
  wireText,
);

const cookie = fc.oneof(
  fc.constantFrom(
    '__Host-almanac_session',
    '__Host-almanac_session=',
    '__Host-almanac_session=alm_ses_x; __Host-almanac_session=alm_ses_y',
    '__Host-almanac_session=%',
    '__Host-almanac_guest=%00; __Host-almanac_session="quoted"',
    '__proto__=x; constructor=y',
    ';;;;',
    `big=${'x'.repeat(10_000)}`,
    Array.from({ length: 500 }, (_, i) => `c${i}=${i}`).join('; '),
  ),
  wireText,
);

const forwardedFor = fc.oneof(
  fc.constantFrom(
    '',
    ',',
    'unknown',
    '1.2.3.4',
    '1.2.3.4, 5.6.7.8',
    '::1',
    '[::1]:80',
    '::ffff:1.2.3.4',
    '1.2.3.4:80',
    '999.1.1.1',
    '2001:db8::%eth0',
    '_hidden',
    'x'.repeat(5_000),
    Array.from({ length: 500 }, () => '10.0.0.1').join(','),
  ),
  fc.ipV4(),
  fc.ipV6(),
  wireText,
  longText,
);

const requestId = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    '',
    'x',
    '00000000-0000-0000-0000-000000000000',
    '12345678-1234-0234-0234-123456789012',
    '{}',
    'x'.repeat(2_000),
  ),
  wireText,
);

const origin = fc.constantFrom(
  'null',
  '',
  'https://evil.example',
  'http://127.0.0.1:8080',
  'http://localhost:8080',
  'https://console.example',
);

/** Headers that identify the caller: half of all hostile headers. */
const credentials = fc.oneof(
  header('authorization', authorization),
  header('cookie', cookie),
  header('x-forwarded-for', forwardedFor),
  header('x-request-id', requestId),
  header('origin', origin),
);

const others = fc.oneof(
  header('sec-fetch-site', fc.constantFrom('cross-site', 'same-origin', 'same-site', 'none', 'x')),
  header('x-forwarded-proto', fc.constantFrom('https', 'http', 'https,http', '', 'wss')),
  header('x-forwarded-host', fc.constantFrom('evil.example', '', 'a,b')),
  header(
    'accept-encoding',
    fc.constantFrom('gzip', 'br', '*', '*;q=0', 'identity;q=0', 'gzip;q=abc', ',,,', 'zstd, deflate'),
  ),
  header('accept', fc.constantFrom('text/html', 'application/xml', '*/*;q=0', '')),
  header('accept-version', fc.constantFrom('1.x', '99', '*')),
  header('user-agent', fc.oneof(wireText, longText)),
  header('host', fc.constantFrom('evil.example', '', '[::1', 'a b', '127.0.0.1:99999')),
  header('expect', fc.constantFrom('miracles', '200-ok')),
  header('x-http-method-override', fc.constantFrom('DELETE', 'TRACE')),
  header('access-control-request-method', fc.constantFrom('DELETE', 'x')),
  header('if-none-match', fc.constantFrom('*', '"x"')),
  header('if-match', fc.constantFrom('*', '"x"', 'W/"x"', ',', '"')),
  header('range', fc.constantFrom('bytes=0-0', 'bytes=9-1')),
  header('upgrade', fc.constantFrom('websocket', 'h2c')),
);

/** One to three hostile headers. */
export const HOSTILE_HEADERS: Arbitrary<Headers> = fc
  .array(fc.oneof(credentials, others), { minLength: 1, maxLength: 3 })
  .map((headers) => Object.assign({}, ...headers));

/** Returns a string that depends only on its seed, so that a run can be repeated (xorshift32). */
function randomText(seed: number, length: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return String.fromCharCode(0x2d + ((state >>> 0) % 80));
  }).join('');
}

function header(name: string, values: Arbitrary<string>): Arbitrary<Headers> {
  return values.map((value) => ({ [name]: value }));
}
