import type { Rpc } from './json-rpc.ts';

export interface LoggedEvent {
  readonly name: 'AddSet' | 'AddSetObject';
  readonly user: string;
  readonly setCid: string;
  /** Null for AddSet. */
  readonly objectCid: string | null;
  /** Seconds; null for AddSet. */
  readonly timestamp: number | null;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly transactionHash: string;
}

interface Log {
  readonly topics: readonly [string, string, string, ...string[]];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
}

/** Keccak-256 of `AddSet(address,bytes32)` and of `AddSetObject(address,bytes32,bytes32,uint256)`. */
const ADD_SET = '0x63fe44955cb468eca854578f614830dfddfb533a8adaf26af8c6624fd702d806';
const ADD_SET_OBJECT = '0x38caddea36d4bb0fc2e9597e46fd18beb7d9b9508b4a997e438bdb877a17efa4';

/** Reads all AddSet and AddSetObject events of a contract, oldest first. */
export async function readLoggedEvents(rpc: Rpc, contract: string): Promise<LoggedEvent[]> {
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest', topics: [[ADD_SET, ADD_SET_OBJECT]] };
  const logs = await rpc<Log[]>('eth_getLogs', [filter]);
  return logs.map(({ topics, data, blockNumber, blockHash, transactionHash }) => {
    const [topic, user, setCid, objectCid = null] = topics;
    return {
      name: topic === ADD_SET ? 'AddSet' : 'AddSetObject',
      // An address is the last 20 of the 32 bytes.
      user: `0x${user.slice(-40)}`,
      setCid,
      objectCid,
      timestamp: topic === ADD_SET ? null : Number(data),
      blockNumber: Number(blockNumber),
      blockHash,
      transactionHash,
    };
  });
}
