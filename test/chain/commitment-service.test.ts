import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeFunctionData } from 'viem';
import { COMMITMENT_SERVICE_ABI } from '../../src/provenance/chain/contract.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { RpcError } from '../support/chain/json-rpc.ts';
import type { Hex } from '../support/chain/node-controls.ts';

interface Receipt {
  readonly gasUsed: Hex;
  readonly blockNumber: Hex;
  readonly transactionHash: Hex;
}

/** The first four bytes of keccak-256 of `InvalidSet()`. */
const INVALID_SET = '0xe2b1171b';

describe('the commitment contract', () => {
  let node: EvmNode;
  let contract: Hex;
  let users: readonly Hex[];
  let lastCid = 0;

  before(async () => {
    node = await startEvmNode();
    contract = await node.deployContract();
    users = await node.rpc<Hex[]>('eth_accounts');
  });
  after(() => node.close());

  it('adds a set once: adding it again changes nothing and emits nothing', async () => {
    const [setCid] = cids(1);
    assert.equal(await view('userSetCommitments', [user(0), setCid]), false);
    const added = await send('addSet', [setCid]);
    const again = await send('addSet', [setCid]);
    assert.equal(await view('userSetCommitments', [user(0), setCid]), true);
    assert.equal(await view('userSetCommitments', [user(1), setCid]), false);
    assert.deepEqual(await eventsOf(added), [
      { name: 'AddSet', user: user(0), setCid, objectCid: null, timestamp: null },
    ]);
    assert.deepEqual(await eventsOf(again), []);
  });

  it('refuses objects for a set that the sender has not added', async () => {
    const [setCid, ...objects] = cids(3);
    await send('addSet', [setCid], 1);
    await assert.rejects(send('addSetObject', [setCid, objects[0]]), isInvalidSet);
    await assert.rejects(send('addSetObjectsBatch', [setCid, objects]), isInvalidSet);
    await assert.rejects(send('addSetObjectsBatch', [setCid, []]), isInvalidSet);
    assert.deepEqual(
      (await node.loggedEvents(contract)).filter((event) => event.objectCid === objects[0]),
      [],
    );
  });

  it('verifies an object for its user and the time of its block, and for nothing else', async () => {
    const [setCid, objectCid, otherCid] = cids(3);
    await send('addSet', [setCid]);
    const receipt = await send('addSetObject', [setCid, objectCid]);
    const timestamp = await timeOf(receipt);
    assert.deepEqual(await eventsOf(receipt), [{ name: 'AddSetObject', user: user(0), setCid, objectCid, timestamp }]);
    assert.equal(await view('verifyUserObject', [user(0), objectCid, BigInt(timestamp)]), true);
    for (const [holder, cid, seconds] of [
      [user(1), objectCid, timestamp],
      [user(0), otherCid, timestamp],
      [user(0), objectCid, timestamp - 1],
      [user(0), objectCid, timestamp + 1],
      [user(0), objectCid, 0],
      // A set is not an object.
      [user(0), setCid, timestamp],
    ] as const) {
      assert.equal(await view('verifyUserObject', [holder, cid, BigInt(seconds)]), false);
    }
  });

  it('commits every object of a batch, in its order', async () => {
    const [setCid, ...objects] = cids(8);
    await send('addSet', [setCid]);
    const receipt = await send('addSetObjectsBatch', [setCid, objects]);
    const timestamp = await timeOf(receipt);
    assert.deepEqual(
      await eventsOf(receipt),
      objects.map((objectCid) => ({ name: 'AddSetObject', user: user(0), setCid, objectCid, timestamp })),
    );
    for (const objectCid of objects) {
      assert.equal(await view('verifyUserObject', [user(0), objectCid, BigInt(timestamp)]), true);
    }
    assert.deepEqual(await eventsOf(await send('addSetObjectsBatch', [setCid, []])), []);
  });

  it('emits an event for each commitment of the same object, and verifies each of its times', async () => {
    const [setCid, objectCid] = cids(2);
    await send('addSet', [setCid]);
    const first = await send('addSetObjectsBatch', [setCid, [objectCid, objectCid]]);
    const later = (await timeOf(first)) + 1_000;
    await node.setNextBlockTime(later);
    const second = await send('addSetObject', [setCid, objectCid]);
    assert.equal((await eventsOf(first)).length, 2);
    assert.equal((await eventsOf(second)).length, 1);
    assert.equal(await timeOf(second), later);
    for (const receipt of [first, second]) {
      assert.equal(await view('verifyUserObject', [user(0), objectCid, BigInt(await timeOf(receipt))]), true);
    }
  });

  it('uses less gas for an object in a batch than for one alone, up to 200 objects', async () => {
    const [setCid] = cids(1);
    await send('addSet', [setCid]);
    const gas: number[] = [];
    for (const size of [1, 10, 50, 100, 200]) {
      const receipt = await send('addSetObjectsBatch', [setCid, cids(size)]);
      gas.push(Number(receipt.gasUsed) / size);
    }
    assert.deepEqual(
      gas,
      gas.toSorted((a, b) => b - a),
    );
    // A new storage slot and the event need 24,200 of it.
    assert.ok((gas.at(-1) ?? 0) < 26_000, `${gas}`);
  });

  /** Returns ids that no other test uses. */
  function cids(count: number): [Hex, ...Hex[]] {
    const ids = Array.from({ length: count }, (_, i): Hex => `0x${(lastCid + i + 1).toString(16).padStart(64, '5')}`);
    lastCid += count;
    return ids as [Hex, ...Hex[]];
  }
  function user(index: number): Hex {
    return users[index] as Hex;
  }
  async function send(functionName: string, args: readonly unknown[], sender = 0): Promise<Receipt> {
    const data = encodeFunctionData({ abi: COMMITMENT_SERVICE_ABI, functionName, args } as never);
    const hash = await node.rpc<Hex>('eth_sendTransaction', [{ from: user(sender), to: contract, data }]);
    return node.rpc<Receipt>('eth_getTransactionReceipt', [hash]);
  }
  async function view(functionName: string, args: readonly unknown[]): Promise<boolean> {
    const data = encodeFunctionData({ abi: COMMITMENT_SERVICE_ABI, functionName, args } as never);
    return BigInt(await node.rpc<Hex>('eth_call', [{ to: contract, data }, 'latest'])) === 1n;
  }
  async function timeOf({ blockNumber }: Receipt): Promise<number> {
    const block = await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', [blockNumber, false]);
    return Number(block.timestamp);
  }
  async function eventsOf({ transactionHash }: Receipt) {
    const events = await node.loggedEvents(contract);
    return events
      .filter((event) => event.transactionHash === transactionHash)
      .map(({ name, user, setCid, objectCid, timestamp }) => ({ name, user, setCid, objectCid, timestamp }));
  }
});

function isInvalidSet(error: unknown): boolean {
  return error instanceof RpcError && error.data === INVALID_SET;
}
