import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { send, startLoopback } from '../../../test/support/platform/loopback.ts';
import { ChainNodeError, connectChainNode } from './chain-node.ts';

test('sends a call as JSON-RPC and returns its result', async () => {
  const bodies: unknown[] = [];
  await using loopback = await startLoopback(async (request, response) => {
    const body = JSON.parse(await text(request));
    bodies.push(body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: body.method === 'eth_chainId' ? '0x1' : null }));
  });
  const node = connectChainNode(loopback.url);
  assert.equal(await node.call('eth_chainId', []), '0x1');
  assert.equal(await node.call('eth_getBlockByNumber', ['0x1', false]), null);
  assert.deepEqual(bodies, [
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    { jsonrpc: '2.0', id: 2, method: 'eth_getBlockByNumber', params: ['0x1', false] },
  ]);
  assert.deepEqual(
    loopback.requests.map(({ method, headers }) => [method, headers['content-type']]),
    Array(2).fill(['POST', 'application/json']),
  );
});

const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'SECRET' } });
const result = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(17 * 1024 * 1024) });

const FAILURES: [string, RegExp, RequestListener][] = [
  ['an error of the node', /^The node refused eth_chainId with the code -32601\.$/, send(200, error)],
  ['an error with a status', /^The node refused eth_chainId with the code -32601\.$/, send(400, error)],
  [
    'a status without a reply',
    /^eth_chainId failed: The node replied with the HTTP status 429\.$/,
    send(429, 'SECRET'),
  ],
  ['text', /^eth_chainId failed: The node sent an invalid reply\.$/, send(200, 'SECRET')],
  ['a list', /^eth_chainId failed: The node sent an invalid reply\.$/, send(200, '["SECRET"]')],
  [
    'the reply to another call',
    /^eth_chainId failed: The node sent an invalid reply/,
    send(200, '{"id":7,"result":"SECRET"}'),
  ],
  [
    'an error without a code',
    /^eth_chainId failed: The node sent an invalid reply/,
    send(200, '{"id":1,"error":{"code":"SECRET"}}'),
  ],
  ['a redirect', /^eth_chainId failed: .* redirect/, send(302, '', { location: 'http://SECRET/' })],
  ['a huge reply', /^eth_chainId failed: The reply is larger than allowed/, send(200, result)],
  [
    'a reply that ends early',
    /: The reply ended early/,
    (_, response) => void response.write('{', () => response.destroy()),
  ],
];

for (const [name, message, reply] of FAILURES) {
  test(`reports ${name} without the address and the reply`, async () => {
    await using loopback = await startLoopback(reply);
    await assertFails(connectChainNode(loopback.url), message);
  });
}

test('reports silence and an address that cannot be reached', async () => {
  const loopback = await startLoopback(() => {});
  await assertFails(connectChainNode(loopback.url, { timeoutMs: 50 }), /: The reply did not arrive in time/);
  await loopback[Symbol.asyncDispose]();
  await assertFails(connectChainNode(loopback.url), /: The address cannot be reached\. \(ECONNREFUSED\)$/);
});

async function assertFails(node: ReturnType<typeof connectChainNode>, message: RegExp): Promise<void> {
  await assert.rejects(node.call('eth_chainId', []), (failure) => {
    assert.ok(failure instanceof ChainNodeError, String(failure));
    assert.match(failure.message, message);
    assert.doesNotMatch(failure.message, /SECRET|127\.0\.0\.1/);
    return true;
  });
}
