import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProxiedReply, startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { send, startLoopback } from '../../../test/support/platform/loopback.ts';
import { createChainClient } from './chain-client.ts';
import { findCommitments } from './find-commitments.ts';
import { createJsonRpc, NodeRefusal, NodeUnavailable } from './json-rpc.ts';

const NEVER = new AbortController().signal;
const connect = (url: string, timeoutMs = 5_000) => createJsonRpc({ url, timeoutMs, signal: NEVER });

test('errors contain neither the address, nor a body, nor what a node quotes', async () => {
  const key = 'c0ffee'.repeat(11).slice(0, 64);
  const quoted = `failed at https://node.example/v3/${key}?token=abc of 0x${key} with Bearer ${key} ${'x'.repeat(500)}`;
  const error = { code: -32_000, message: quoted, data: quoted };
  await using refusing = await startNodeProxy('', () => ({ error }));
  await using garbage = await startLoopback(send(200, quoted));
  await using failing = await startLoopback(send(503, quoted));
  await using limiting = await startNodeProxy('', () => ({ error: { ...error, code: -32_005 } }));
  await using slow = await startLoopback(() => {});
  const failures = [
    [refusing.url, NodeRefusal],
    [garbage.url, NodeUnavailable],
    [failing.url, NodeUnavailable],
    [limiting.url, NodeUnavailable],
    [slow.url, NodeUnavailable],
    ['http://127.0.0.1:9/SECRET-PATH', NodeUnavailable],
    ['not an address SECRET', NodeUnavailable],
  ] as const;
  for (const [url, kind] of failures) {
    const timeoutMs = url === slow.url ? 20 : 5_000;
    const failure = await connect(url, timeoutMs)('eth_chainId', [`0x${key}`]).catch((error: unknown) => error);
    assert.ok(failure instanceof kind, url);
    const shown = `${failure.stack} ${JSON.stringify(failure)} ${String(failure.cause)}`;
    assert.doesNotMatch(shown, /c0ffee|SECRET|node\.example|127\.0\.0\.1|token=/);
    assert.ok(failure.message.length <= 160);
  }
});

test('replies of a wrong form count as unreachable', async () => {
  let reply: ProxiedReply = {};
  await using node = await startNodeProxy('', () => reply);
  const client = createChainClient(connect(node.url));
  for (const result of [undefined, null, 1, 'latest', '0x', '0xzz', `0x${'f'.repeat(65)}`, {}, []]) {
    reply = { result };
    for (const call of [client.chainId, client.latestBlock, client.gasPrice]) {
      await assert.rejects(call(), NodeUnavailable);
    }
  }
  for (const result of [{}, { logs: [] }, [{}], [{ topics: 1 }]]) {
    reply = { result };
    await assert.rejects(client.receipt('0x'), NodeUnavailable);
  }
});

test('the events of a range are read in as many requests as the node needs', async () => {
  const ranges: number[][] = [];
  await using node = await startNodeProxy('', ({ params }) => {
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    const range = [Number(fromBlock), Number(toBlock)];
    if (Number(toBlock) - Number(fromBlock) >= 2_000) return { error: { code: -32_602, message: 'range too large' } };
    ranges.push(range);
    return { result: [] };
  });
  const [contract, user, setCid] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(64)}`];
  const filter = { contract, user, setCid, fromBlock: 10, toBlock: 5_000 };
  await findCommitments(createChainClient(connect(node.url)), filter);
  assert.deepEqual(ranges, [
    [10, 1_259],
    [1_260, 1_884],
    [1_885, 3_134],
    [3_135, 5_000],
  ]);
});
