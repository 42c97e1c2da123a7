import fc, { type Arbitrary } from 'fast-check';

/** Encoded texts for one segment of a path. None contains a slash, so that the route stays the same. */
export const HOSTILE_SEGMENTS: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%2',
    '%00',
    'a%00b',
    '%2F',
    '%2f..%2f..',
    '..',
    '.',
    '%2e%2e',
    '%252e%252e%252f',
    '%ff%fe',
    '%ED%A0%80',
    '%C0%AE',
    '%F0%9F%92%A5',
    '%E2%80%AE',
    ':key_id',
    '*',
    '~',
    '%20',
    "';--",
    '__proto__',
    'constructor',
    'key_00000000000000000000000000',
    ';a=b',
    '%0d%0aSet-Cookie:x',
    '|',
    '{key_id}',
  ),
  fc.integer({ min: 90, max: 3_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 90, max: 1_000 }).map((length) => '%C3%A9'.repeat(length)),
  fc
    .array(fc.nat(255), { minLength: 1, maxLength: 30 })
    .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
);

/** The parts of a valid query. `fc.webQueryParameters` generates similar texts, but takes seconds to create. */
const QUERY_TEXTS: Arbitrary<string> = fc.oneof(
  fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@/?"),
  fc
    .nat(0x10ffff)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => encodeURIComponent(String.fromCodePoint(code))),
);

export const HOSTILE_QUERIES: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '?',
    '??',
    '?=',
    '?&&&',
    '?__proto__=1',
    '?__proto__[polluted]=1',
    '?constructor.prototype=x',
    '?%',
    '?%ff=%00',
    '?a=1&a=2',
    '?a[]=1',
    '?x=%ED%A0%80',
    '?limit=9999999999999999999',
  ),
  fc
    .integer({ min: 1, max: 300 })
    .map((count) => `?${Array.from({ length: count }, (_, i) => `p${i}=${i}`).join('&')}`),
  fc.array(QUERY_TEXTS, { maxLength: 20 }).map((texts) => `?${texts.join('')}`),
);

/** Percent-encodes some letters of a path. */
export function encodeSomeLetters(path: string): Arbitrary<string> {
  return fc
    .array(fc.nat(path.length - 1), { minLength: 1, maxLength: 3 })
    .map((positions) =>
      [...path]
        .map((letter, at) =>
          positions.includes(at) && /[a-z]/.test(letter) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
        )
        .join(''),
    );
}

/** Paths of no operation, in both envelope families and outside them. */
export const STRANGE_PATHS: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      '',
      '/',
      '/api',
      '/api/v1',
      '/api/v1/market-search',
      '/api/market-data',
      '/api/market%2Ddata',
      '/v1/market-search',
      '/docs',
      '/docs/static',
      '/health',
      '/api/v1/me/access',
      '/api/v1/me/api-keys',
      '//api',
      '/API/v1',
      '/api/v1/sessions',
    ),
    fc.array(
      fc.oneof(
        HOSTILE_SEGMENTS,
        fc.constantFrom('', 'stocks', 'history', 'static', 'index.html', 'json', 'a b'.replace(' ', '%20')),
      ),
      { maxLength: 4 },
    ),
    fc.oneof(fc.constant(''), HOSTILE_QUERIES),
  )
  .map(([base, segments, query]) => `${[base, ...segments].join('/') || '/'}${query}`)
  .map((path) => (path.startsWith('/') ? path : `/${path}`));
