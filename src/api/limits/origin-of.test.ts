import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOf } from './network.ts';

test('stores only the network of an address', () => {
  const cases: Record<string, string | null> = {
    '192.0.2.7': '192.0.2.0/24',
    '10.255.255.255': '10.255.255.0/24',
    '::ffff:192.0.2.7': '192.0.2.0/24',
    '2001:db8:1:2::9': '2001:db8:1::/48',
    '2001:db8::9': '2001:db8:0::/48',
    'fe80::1%eth0': 'fe80:0:0::/48',
    '::1': '0:0:0::/48',
    'not an address': null,
    '': null,
  };
  for (const [address, network] of Object.entries(cases)) {
    const userAgent = 'a browser';
    assert.deepEqual(originOf({ address, userAgent }), { network, userAgent }, address);
  }
});
