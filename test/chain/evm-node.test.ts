import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import type { Hex } from '../support/chain/node-controls.ts';

// Tests of the stamper rely on these replies of the node.

const GWEI = 10n ** 9n;

interface Changes {
  readonly nonce?: number;
  readonly value?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

describe('the EVM node of the tests', () => {
  let node: EvmNode;
  let sender: PrivateKeyAccount;

  before(async () => {
    node = await startEvmNode({ automine: false });
  });
  after(() => node.close());

  it('keeps a transaction in the pool until a block is mined, and recognizes it', async () => {
    await useNewSender();
    const hash = await send({});
    await assert.rejects(send({}), /Known transaction/);
    assert.deepEqual(await nonces(), { latest: 0, pending: 1 });
    await node.mine();
    assert.deepEqual(await nonces(), { latest: 1, pending: 1 });
    assert.ok(await receiptOf(hash));
    await assert.rejects(send({}), /nonce too low/i);
  });

  it('replaces a transaction only if both fees are at least 10 % higher', async () => {
    await useNewSender();
    const first = await send({});
    await assert.rejects(send({ maxFeePerGas: 20n * GWEI }), /Replacement transaction underpriced/);
    await assert.rejects(send({ maxPriorityFeePerGas: 2n * GWEI }), /Replacement transaction underpriced/);
    const second = await send({ maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: (11n * GWEI) / 10n });
    await node.mine();
    assert.equal(await receiptOf(first), null);
    assert.ok(await receiptOf(second));
  });

  it('keeps a transaction that does not pay the base fee, and later nonces, until the fee is raised', async () => {
    await useNewSender();
    const cheap = await send({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n });
    const later = await send({ nonce: 1 });
    await node.mine();
    assert.equal((await nonces()).latest, 0);
    const replacement = await send({});
    await node.mine();
    assert.equal((await nonces()).latest, 2);
    assert.equal(await receiptOf(cheap), null);
    assert.ok(await receiptOf(later));
    assert.ok(await receiptOf(replacement));
  });

  it('refuses a transaction that the balance does not cover', async () => {
    await useNewSender();
    await assert.rejects(send({ value: 10n ** 21n }), /Sender doesn't have enough funds/);
  });

  it('drops a pending transaction, after which later nonces wait', async () => {
    await useNewSender();
    const first = await send({});
    const second = await send({ nonce: 1 });
    assert.equal(await node.drop(first), true);
    assert.equal(await node.drop(first), false);
    await node.mine();
    assert.deepEqual(await nonces(), { latest: 0, pending: 0 });
    await send({});
    await node.mine();
    assert.deepEqual(await nonces(), { latest: 2, pending: 2 });
    assert.equal(await node.drop(second), false);
  });

  it('restores the nonce and the pool of the snapshot, and forgets later transactions', async () => {
    await useNewSender();
    await send({});
    const snapshot = await node.snapshot();
    const later = await send({ nonce: 1 });
    await node.mine();
    assert.deepEqual(await nonces(), { latest: 2, pending: 2 });
    await node.revert(snapshot);
    assert.deepEqual(await nonces(), { latest: 0, pending: 1 });
    assert.equal(await node.rpc('eth_getTransactionByHash', [later]), null);
    assert.equal(await send({ nonce: 1 }), later);
    await node.mine();
    assert.ok(await receiptOf(later));
    await assert.rejects(node.revert(snapshot), /There is no snapshot/);
  });

  it('has no pool while automine is on', async () => {
    await useNewSender();
    await send({ nonce: 7 });
    await node.setAutomine(true);
    assert.ok(await receiptOf(await send({})));
    await assert.rejects(send({}), /Nonce too low/);
    await assert.rejects(send({ nonce: 2 }), /Nonce too high/);
    await assert.rejects(send({ nonce: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }), /too low for the next block/);
    await node.setAutomine(false);
  });

  async function useNewSender(): Promise<void> {
    const { privateKey } = await node.createAccount();
    sender = privateKeyToAccount(privateKey);
  }
  async function send(changes: Changes): Promise<Hex> {
    const fees = { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: GWEI };
    const transaction = { chainId: node.chainId, to: sender.address, gas: 21_000n, nonce: 0, ...fees, ...changes };
    const signed = await sender.signTransaction({ type: 'eip1559', ...transaction });
    return node.rpc<Hex>('eth_sendRawTransaction', [signed]);
  }
  async function nonces(): Promise<{ latest: number; pending: number }> {
    const count = async (block: string) =>
      Number(await node.rpc<Hex>('eth_getTransactionCount', [sender.address, block]));
    return { latest: await count('latest'), pending: await count('pending') };
  }
  function receiptOf(hash: Hex): Promise<object | null> {
    return node.rpc<object | null>('eth_getTransactionReceipt', [hash]);
  }
});
