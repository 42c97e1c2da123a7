import { randomBytes } from 'node:crypto';
import { encodeFunctionData } from 'viem';
import { COMMITMENT_SERVICE_ABI } from '../../src/provenance/chain/contract.ts';
import { startEvmNode } from '../../test/support/chain/evm-node.ts';
import type { Hex } from '../../test/support/chain/node-controls.ts';

export interface GasUse {
  readonly deployment: number;
  readonly addSet: number;
  readonly addSetObject: number;
  /** The gas of a whole batch, by its size. */
  readonly batches: ReadonlyMap<number, number>;
}

/** Measures the gas of each call of the commitment contract on a local node, with random ids as in service. */
export async function measureGas(batchSizes: readonly number[]): Promise<GasUse> {
  await using node = await startEvmNode();
  const to = await node.deployContract();
  const [from] = await node.rpc<Hex[]>('eth_accounts');
  const [deployment] = (await node.rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', ['latest', false]))
    .transactions;
  const setCid = randomId();
  const addSet = await send(
    encodeFunctionData({ abi: COMMITMENT_SERVICE_ABI, functionName: 'addSet', args: [setCid] }),
  );
  const addSetObject = await send(
    encodeFunctionData({ abi: COMMITMENT_SERVICE_ABI, functionName: 'addSetObject', args: [setCid, randomId()] }),
  );
  const batches = new Map<number, number>();
  for (const size of batchSizes) {
    const objects = Array.from({ length: size }, randomId);
    batches.set(
      size,
      await send(
        encodeFunctionData({
          abi: COMMITMENT_SERVICE_ABI,
          functionName: 'addSetObjectsBatch',
          args: [setCid, objects],
        }),
      ),
    );
  }
  return { deployment: await gasOf(deployment), addSet, addSetObject, batches };

  async function send(data: Hex): Promise<number> {
    return gasOf(await node.rpc<Hex>('eth_sendTransaction', [{ from, to, data }]));
  }
  async function gasOf(hash: Hex | undefined): Promise<number> {
    const receipt = await node.rpc<{ gasUsed: Hex; status: Hex }>('eth_getTransactionReceipt', [hash]);
    if (receipt.status !== '0x1') throw new Error(`The transaction ${hash} was reverted.`);
    return Number(receipt.gasUsed);
  }
}

function randomId(): Hex {
  return `0x${randomBytes(32).toString('hex')}`;
}
