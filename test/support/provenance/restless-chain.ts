import type { EvmNode } from '../chain/evm-node.ts';
import { type Random, uniformBetween } from '../platform/seeded-random.ts';
import { chooseByWeight } from './mortal-process.ts';

/** What a chain does between two rounds of the stamper. */
export const CHAIN_EVENTS = ['block', 'blocks', 'delay', 'drop', 'reorganization', 'fee jump'] as const;
export type ChainEvent = (typeof CHAIN_EVENTS)[number];

/** Blocks are the most frequent, because proofs are stamped only if the chain moves. */
const WEIGHTS: Readonly<Record<ChainEvent, number>> = {
  block: 8,
  blocks: 3,
  delay: 3,
  drop: 3,
  reorganization: 2,
  'fee jump': 1,
};

const GWEI = 10n ** 9n;

/** A chain that mines, waits, drops transactions, loses blocks and changes its fees, as a seed decides. */
export class RestlessChain {
  readonly #node: EvmNode;
  readonly #random: Random;
  readonly #maxDepth: number;
  #snapshot: { readonly id: string; readonly block: number } | null = null;

  /** @param maxDepth the number of blocks that a reorganization replaces, at most */
  constructor(node: EvmNode, random: Random, maxDepth: number) {
    this.#node = node;
    this.#maxDepth = maxDepth;
    this.#random = random;
  }

  /** Lets the next thing happen. Returns null if it could not, such as a drop without a pending transaction. */
  async move(): Promise<ChainEvent | null> {
    if (this.#snapshot === null && this.#random() < 0.3) {
      this.#snapshot = { id: await this.#node.snapshot(), block: await this.#node.blockNumber() };
    }
    const event = chooseByWeight(this.#random, CHAIN_EVENTS, (each) => WEIGHTS[each]);
    if (event === 'block') await this.#node.mine();
    if (event === 'blocks') await this.#node.mine(2 + Math.floor(3 * this.#random()));
    if (event === 'drop' && !(await this.#drop())) return null;
    if (event === 'reorganization' && !(await this.#reorganize())) return null;
    if (event === 'fee jump') {
      await this.#node.setNextBaseFee(BigInt(Math.floor(uniformBetween(this.#random, 1, 40))) * GWEI);
      await this.#node.mine();
    }
    return event;
  }

  async #drop(): Promise<boolean> {
    const pending = await this.#node.rpc<{ hash: string }[]>('eth_pendingTransactions');
    const chosen = pending[Math.floor(this.#random() * pending.length)];
    return chosen !== undefined && (await this.#node.drop(chosen.hash));
  }

  /** Returns to an earlier block, as far as the chain may. */
  async #reorganize(): Promise<boolean> {
    const block = await this.#node.blockNumber();
    const snapshot = this.#snapshot;
    this.#snapshot = null;
    if (snapshot === null || block - snapshot.block > this.#maxDepth) return false;
    await this.#node.revert(snapshot.id);
    // Otherwise the new block could equal the lost one.
    await this.#node.rpc('evm_increaseTime', ['0x1']);
    if (this.#random() < 0.5) await this.#node.mine();
    return block > snapshot.block;
  }
}
