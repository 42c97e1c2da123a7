import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBrowser } from './browser-names.ts';

test('names browsers and systems', () => {
  const names: [string | null, string][] = [
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/156.0 Safari/604.1',
      'Chrome on iOS',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 'Firefox on Android'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['x'.repeat(300), 'x'.repeat(60)],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ];
  for (const [userAgent, name] of names) assert.equal(formatBrowser(userAgent), name);
});
