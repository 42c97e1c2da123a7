import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from './paths.ts';

test('returns the path as the router reads it', () => {
  const cases: [string, string][] = [
    ['/api/v1/me', '/api/v1/me'],
    ['/api/v1/me?x=/y#z', '/api/v1/me'],
    ['/api/v1/me#z?x', '/api/v1/me'],
    ['http://host/api?x', '/api'],
    ['https://host:1/api/http://other/x', '/api/http://other/x'],
    ['/api/market%2Ddata', '/api/market-data'],
    ['/api/market-data%2Fx', '/api/market-data%2Fx'],
    ['/api/%zz', '/api/%zz'],
    ['//host/api', '//host/api'],
    ['*', '*'],
    ['', ''],
  ];
  for (const [url, path] of cases) assert.equal(pathOf(url), path, url);
});
