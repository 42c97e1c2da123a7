import assert from 'node:assert/strict';
import { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { boundedGet } from './bounded-request.ts';
import { isPublicAddress } from './public-address.ts';
import { openStream } from './stream.ts';

test('knows the addresses of the public internet', () => {
  for (const address of [
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('knows the addresses of this machine, private networks and reserved ranges', () => {
  for (const address of [
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '127.0.0.1',
      '127.255.255.254',
      '10.0.0.5',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
    ],
    ...['100.64.0.1', '100.127.255.255', '100.100.100.200', '169.254.169.254', '168.63.129.16', '192.0.0.192'],
    ...['198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::127.0.0.1',
      'fe80::1',
      'fe80::1%lo',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '100::1',
      'fec0::1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:a00:5', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::', '64:ff9b:1::101:101'],
    ...['2002:7f00:1::', '2002:101:101::', '2001::1', '2001:db8::1', '3fff::1', 'localhost', '', '127.1'],
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

// The listener accepts both address families, so that every spelling of this machine's own address would reach it.
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
});
let port: number;

before(async () => {
  listener.listen(0);
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
});
after(() => listener.close());

const LIMITS = { timeoutMs: 30_000, maxBytes: 1_000 };
const REFUSED = { name: 'OutboundError', kind: 'not_public' };

/** A resolver that gives each of its answers once. */
function answering(...answers: readonly (readonly string[])[]): LookupFunction & { calls: number } {
  const resolve = Object.assign(
    ((_hostname, options, callback) => {
      const addresses = answers[resolve.calls] ?? [];
      resolve.calls += 1;
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (options.all) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    }) as LookupFunction,
    { calls: 0 },
  );
  return resolve;
}

test('lets others name no spelling of an address that is not public', async () => {
  const hosts = [
    ...['127.0.0.1', '0.0.0.0', '2130706433', '0x7f.1', '017700000001', '127.1', '10.0.0.5', '169.254.169.254'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fd00:ec2::254]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'x.localhost'],
  ];
  for (const url of hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])) {
    await assert.rejects(boundedGet(url, { ...LIMITS, namedBy: 'others' }), REFUSED, url);
    await assert.rejects(openStream(url, { stallMs: 30_000, namedBy: 'others' }), REFUSED, url);
  }
  assert.equal(connections, 0);
});

test('checks every address that a name resolves to', async () => {
  const url = `https://name.example:${port}/`;
  for (const addresses of [['127.0.0.1'], ['::1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:10.0.0.5', '1.1.1.1'], []]) {
    await assert.rejects(boundedGet(url, { ...LIMITS, namedBy: 'others', lookup: answering(addresses) }), REFUSED);
  }
  assert.equal(connections, 0);
});

test('connects to the address that it checked, and checks the next request again', async () => {
  const url = `https://name.example:${port}/`;
  const lookup = answering(['1.1.1.1'], ['127.0.0.1']);
  const controller = new AbortController();
  // Aborts when the first answer has been checked, so that the test contacts no other machine.
  const abortAfterward: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, options, (...answer) => {
      controller.abort();
      callback(...answer);
    });
  const first = boundedGet(url, { ...LIMITS, namedBy: 'others', lookup: abortAfterward, signal: controller.signal });
  await assert.rejects(first, { kind: 'aborted' });
  assert.equal(lookup.calls, 1);
  await assert.rejects(boundedGet(url, { ...LIMITS, namedBy: 'others', lookup }), REFUSED);
  assert.deepEqual([lookup.calls, connections], [2, 0]);
});

test('lets the operator name any address, without lending its connections to others', async () => {
  for (const host of ['127.0.0.1', 'localhost', 'name.example']) {
    const url = `http://${host}:${port}/`;
    const lookup = host === 'name.example' ? answering(['127.0.0.1']) : (systemLookup as LookupFunction);
    assert.equal((await boundedGet(url, { ...LIMITS, namedBy: 'operator', lookup })).status, 200);
  }
  assert.equal(connections, 3);
  const url = `https://name.example:${port}/`;
  await assert.rejects(boundedGet(url, { ...LIMITS, namedBy: 'others', lookup: answering(['127.0.0.1']) }), REFUSED);
});
