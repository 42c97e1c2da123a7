import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainClient } from './chain-client.ts';
import { estimateFees, raiseFees } from './fees.ts';
import { NodeRefusal } from './json-rpc.ts';

const client = (priorityFee: () => Promise<bigint>) =>
  ({ priorityFee, gasPrice: async () => 130n }) as Partial<ChainClient> as ChainClient;
const refuses = () => Promise.reject(new NodeRefusal(-32_601, 'the method does not exist'));
const block = (baseFee: bigint | null) => ({ number: 1, hash: '0x', time: new Date(0), baseFee });

test('the fees cover a base fee that doubles', async () => {
  assert.deepEqual(
    await estimateFees(
      client(async () => 7n),
      block(100n),
    ),
    {
      maxFee: 207n,
      priorityFee: 7n,
      isLegacy: false,
    },
  );
});

test('nodes without the method and chains without a base fee use the gas price', async () => {
  assert.deepEqual(await estimateFees(client(refuses), block(100n)), {
    maxFee: 230n,
    priorityFee: 30n,
    isLegacy: false,
  });
  assert.deepEqual(await estimateFees(client(refuses), block(null)), {
    maxFee: 130n,
    priorityFee: 130n,
    isLegacy: true,
  });
});

test('raised fees are 12.5 % higher, at least the estimate, and at most ten times the estimate', () => {
  const estimate = { maxFee: 100n, priorityFee: 10n, isLegacy: false };
  const raise = (maxFee: bigint, priorityFee: bigint) => {
    const fees = raiseFees({ maxFee, priorityFee }, estimate);
    return fees === null ? null : [fees.maxFee, fees.priorityFee];
  };
  assert.deepEqual(raise(0n, 0n), [100n, 10n]);
  assert.deepEqual(raise(80n, 16n), [100n, 19n]);
  assert.deepEqual(raise(800n, 16n), [901n, 19n]);
  assert.deepEqual(raise(100n, 400n), [113n, 113n], 'a priority fee is not above the maximum');
  assert.equal(raise(900n, 10n), null);
});
