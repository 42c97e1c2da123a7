import { createHash } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { type Clock, createLog, type Database } from '../../../src/platform/index.ts';
import { createChainStamper } from '../../../src/provenance/chain/chain-stamper.ts';
import type { Stamper } from '../../../src/provenance/index.ts';
import { type EvmNode, startEvmNode } from '../chain/evm-node.ts';
import type { Hex } from '../chain/node-controls.ts';
import { createMortalDatabase } from './mortal-database.ts';
import { type MortalNode, startMortalNode } from './mortal-node.ts';
import type { MortalProcess } from './mortal-process.ts';

/** A chain on which stampers are killed. Every seed starts from the same block. */
export interface KillScene extends AsyncDisposable {
  readonly node: EvmNode;
  readonly proxy: MortalNode;
  readonly contract: Hex;
  /** Returns the chain to its first block. */
  restart(): Promise<void>;
}

/** The number of blocks after which a stamp is confirmed. */
export const CONFIRMATIONS = 3;
/** The number of blocks for which a confirmed stamp is watched: few, so that stamps also become final meanwhile. */
export const WATCHED_BLOCKS = 12;

/** Starts a node with the contract. */
export async function openKillScene(): Promise<KillScene> {
  const node = await startEvmNode({ automine: false });
  const proxy = await startMortalNode(node.url);
  const contract = await node.deployContract();
  let first = await node.snapshot();
  return {
    node,
    proxy,
    contract,
    async restart() {
      proxy.unsent.length = 0;
      await node.revert(first);
      first = await node.snapshot();
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await node.close();
    },
  };
}

/** A clock that moves only if it is told to. */
export class SteppedClock implements Clock {
  #now = Date.parse('2026-03-02T10:00:00Z');

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += Math.floor(milliseconds);
  }
}

/** The key of a sender and its address. */
export interface Sender {
  readonly key: Hex;
  readonly address: Hex;
}

export function createSender(seed: number): Sender {
  const key: Hex = `0x${createHash('sha256').update(`sender ${seed}`).digest('hex')}`;
  return { key, address: privateKeyToAddress(key) };
}

export interface StamperOptions {
  readonly database: Database;
  readonly sender: Sender;
  readonly batchSize: number;
  readonly clock: Clock;
}

/** Creates the stamper of a process that can be killed. */
export function createMortalStamper(
  { node, proxy, contract }: KillScene,
  process: MortalProcess,
  { database, sender, batchSize, clock }: StamperOptions,
): Stamper {
  const context = {
    database: createMortalDatabase(database, process),
    clock,
    log: createLog('silent'),
    perDay: 1_000_000,
  };
  const options = { url: proxy.urlFor(process), chainId: node.chainId, contract, key: sender.key };
  const limits = { confirmations: CONFIRMATIONS, watchedBlocks: WATCHED_BLOCKS, batchSize };
  return createChainStamper(context, { ...options, ...limits, collection: 'almanac' });
}
