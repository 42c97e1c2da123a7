import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { ownOrigins, refuseForeignOrigin } from './same-origin.ts';

const OWN = ['https://almanac.example'];

function isRefused(headers: IncomingHttpHeaders): boolean {
  try {
    refuseForeignOrigin(headers, OWN);
    return false;
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'ORIGIN_DENIED');
    return true;
  }
}

test('accepts requests from its own pages and from clients that are not browsers', () => {
  for (const headers of [
    {},
    { origin: 'https://almanac.example' },
    { origin: 'https://almanac.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ]) {
    assert.equal(isRefused(headers), false, JSON.stringify(headers));
  }
});

test('refuses requests that another site made the browser send', () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'http://almanac.example' },
    { origin: 'https://almanac.example.evil.example' },
    { origin: 'https://almanac.example:8443' },
    { origin: 'https://sub.almanac.example' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://almanac.example', 'sec-fetch-site': 'cross-site' },
  ]) {
    assert.equal(isRefused(headers), true, JSON.stringify(headers));
  }
});

test('accepts other loopback names of the machine, but only with the same port', () => {
  assert.deepEqual(ownOrigins('http://127.0.0.1:8080', { loopback: true }), [
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ]);
  assert.ok(ownOrigins('http://localhost', { loopback: true }).includes('http://127.0.0.1'));
});

test('accepts only the site’s origin beyond loopback', () => {
  assert.deepEqual(ownOrigins('https://almanac.example', { loopback: false }), OWN);
  assert.deepEqual(ownOrigins('https://almanac.example', { loopback: true }), OWN, 'a TLS proxy on this machine');
  assert.deepEqual(ownOrigins('http://almanac.example', { loopback: false }), ['http://almanac.example']);
});
