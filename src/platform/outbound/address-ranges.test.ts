import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRanges, parseAddressRange } from './address-ranges.ts';

test('finds an address in the ranges of its own family', () => {
  for (const [address, ...ranges] of [
    ['10.255.255.255', '10.0.0.0/8'],
    ['10.0.0.5', '192.168.0.0/16', '10.0.0.5'],
    ['10.0.0.5', '10.0.0.4/31'],
    ['1.1.1.1', '0.0.0.0/0'],
    ['fd12::1', 'fd00::/8'],
    ['::1', '::1'],
    ['2606:4700::1111', '::/0'],
    // An IPv6 socket writes IPv4 addresses this way.
    ['::ffff:10.0.0.5', '10.0.0.0/8'],
    ['::FFFF:a00:5', '10.0.0.5'],
  ] as const) {
    assert.equal(isInRanges(address, ranges), true, `${address} in ${ranges}`);
  }
});

test('finds no other address, and no text that is not an address', () => {
  for (const [address, ...ranges] of [
    ['11.0.0.0', '10.0.0.0/8'],
    ['10.0.0.6', '10.0.0.4/31'],
    ['127.0.0.2', '127.0.0.1'],
    ['10.0.0.5'],
    ['fe00::1', 'fd00::/8'],
    // A translator and not this machine decides to which machine these addresses lead.
    ['64:ff9b::a00:5', '10.0.0.0/8'],
    ['2002:a00:5::', '10.0.0.0/8'],
    ['::10.0.0.5', '10.0.0.0/8'],
    ['10.0.0.5', '::/0'],
    ['::ffff:10.0.0.5', '::/0'],
    ['::1', '0.0.0.0/0'],
    ['fe80::1%lo', 'fe80::/10'],
    ['10.1', '10.0.0.0/8'],
    ['', '0.0.0.0/0'],
    ['10.0.0.5', 'not a range'],
  ] as const) {
    assert.equal(isInRanges(address, ranges), false, `${address} in ${ranges}`);
  }
});

test('reads the first bits of a range, and all bits of an address', () => {
  assert.deepEqual(parseAddressRange('10.0.0.0/8'), { network: [10, 0, 0, 0], bits: 8 });
  assert.deepEqual(parseAddressRange('127.0.0.1'), { network: [127, 0, 0, 1], bits: 32 });
  assert.deepEqual(parseAddressRange('fd00:1::/32'), { network: [0xfd, 0, 0, 1, ...Array(12).fill(0)], bits: 32 });
  assert.equal(parseAddressRange('::1')?.bits, 128);
});
