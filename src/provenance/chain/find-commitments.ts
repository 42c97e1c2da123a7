import type { ChainClient, CommitmentFilter } from './chain-client.ts';
import { NodeRefusal, NodeUnavailable } from './json-rpc.ts';
import type { Block, Commitment } from './node-replies.ts';

/** Maximum number of blocks in a request. Nodes have different limits, so a refused request is repeated with fewer. */
const MAX_STEP = 5_000;

/** Returns the commitments of a user to a set in a range of blocks, oldest first. */
export async function findCommitments(client: ChainClient, filter: CommitmentFilter): Promise<Commitment[]> {
  const found: Commitment[] = [];
  let step = MAX_STEP;
  let fromBlock = filter.fromBlock;
  while (fromBlock <= filter.toBlock) {
    const toBlock = Math.min(fromBlock + step - 1, filter.toBlock);
    try {
      found.push(...(await client.commitments({ ...filter, fromBlock, toBlock })));
      fromBlock = toBlock + 1;
      // The refusal may have been for a moment, or for a range with many events.
      step = Math.min(2 * step, MAX_STEP);
    } catch (error) {
      if (step === 1 || !canSucceedWithLess(error)) throw error;
      step = Math.ceil(step / 4);
    }
  }
  return found;
}

/** Returns the number of the first block that is not older than a time; that of the head if all are older. */
export async function findFirstBlockSince(client: ChainClient, time: Date, head: Block): Promise<number> {
  let low = 0;
  let high = head.number;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await client.block(middle);
    if (block === null) throw new NodeUnavailable('The node has lost a block.');
    if (block.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function canSucceedWithLess(error: unknown): boolean {
  return error instanceof NodeRefusal || (error instanceof NodeUnavailable && error.isTooLarge);
}
