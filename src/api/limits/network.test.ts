import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, originOf } from './network.ts';

test('counts an IPv4 address as itself in any notation', () => {
  for (const address of [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::FFFF:192.0.2.7',
    '::ffff:c000:207',
    '0:0:0:0:0:ffff:192.0.2.7',
  ]) {
    assert.equal(networkOf(address), '192.0.2.7', address);
  }
});

test('counts an IPv6 address as its /64 network', () => {
  const cases: [string, string][] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::a:b:c:192.0.2.7', '0:0:0:a::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ];
  for (const [address, network] of cases) assert.equal(networkOf(address), network, address);
});

test('counts the addresses of one /64 network together, apart from the next network', () => {
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
});

test('counts every invalid address as one network', () => {
  for (const text of ['', 'unknown', 'x'.repeat(10_000), '192.0.2.7:80', '[::1]', '1.2.3', '_hidden']) {
    assert.equal(networkOf(text), 'unknown');
  }
});

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
