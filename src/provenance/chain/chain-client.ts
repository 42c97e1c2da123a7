import { decodeFunctionData, encodeEventTopics, encodeFunctionData } from 'viem/utils';
import { COMMITMENT_SERVICE_ABI as abi } from './contract.ts';
import { type JsonRpc, malformedReply, NodeRefusal } from './json-rpc.ts';
import {
  type Block,
  type ChainTransaction,
  type Commitment,
  type Hex,
  readBlock,
  readCommitments,
  readHex,
  readNumber,
  readQuantity,
  readReceipt,
  readTransaction,
  type TransactionReceipt,
} from './node-replies.ts';

export interface CommitmentFilter {
  readonly contract: string;
  readonly user: string;
  readonly setCid: string;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** The calls of a node that the stamper uses. */
export interface ChainClient {
  chainId(): Promise<number>;
  hasCode(address: string): Promise<boolean>;
  latestBlock(): Promise<Block>;
  /** @returns null if the chain has no such block */
  block(numberOrHash: number | string): Promise<Block | null>;
  receipt(hash: string): Promise<TransactionReceipt | null>;
  /** Returns a transaction in a block or in the pool. */
  transaction(hash: string): Promise<ChainTransaction | null>;
  /** Returns how many nonces an address has used at a block, or with the transactions in the pool. */
  countNonces(address: string, block: number | 'pending'): Promise<number>;
  balance(address: string): Promise<bigint>;
  gasPrice(): Promise<bigint>;
  priorityFee(): Promise<bigint>;
  estimateGas(from: string, to: string, data: string): Promise<number>;
  hasSet(contract: string, user: string, setCid: string): Promise<boolean>;
  commitments(filter: CommitmentFilter): Promise<Commitment[]>;
  /** Hands signed bytes to the node. Throws a `NodeRefusal` if the node does not take them. */
  send(raw: string): Promise<void>;
}

/** Returns the calls of the node behind `rpc`. Their replies are checked, because nodes are of many kinds. */
export function createChainClient(rpc: JsonRpc): ChainClient {
  return {
    chainId: async () => readNumber(await rpc('eth_chainId', [])),
    hasCode: async (address) => readHex(await rpc('eth_getCode', [address, 'latest'])) !== '0x',
    async latestBlock() {
      return readBlock(await rpc('eth_getBlockByNumber', ['latest', false])) ?? fail();
    },
    async block(which) {
      const isNumber = typeof which === 'number';
      const method = isNumber ? 'eth_getBlockByNumber' : 'eth_getBlockByHash';
      return readBlock(await rpc(method, [isNumber ? toHex(which) : which, false]));
    },
    receipt: async (hash) => readReceipt(await rpc('eth_getTransactionReceipt', [hash])),
    transaction: async (hash) => readTransaction(await rpc('eth_getTransactionByHash', [hash])),
    async countNonces(address, block) {
      return readNumber(await rpc('eth_getTransactionCount', [address, block === 'pending' ? block : toHex(block)]));
    },
    balance: async (address) => readQuantity(await rpc('eth_getBalance', [address, 'latest'])),
    gasPrice: async () => readQuantity(await rpc('eth_gasPrice', [])),
    priorityFee: async () => readQuantity(await rpc('eth_maxPriorityFeePerGas', [])),
    estimateGas: async (from, to, data) => readNumber(await rpc('eth_estimateGas', [{ from, to, data }])),
    async hasSet(contract, user, setCid) {
      const args = [user as Hex, setCid as Hex] as const;
      const data = encodeFunctionData({ abi, functionName: 'userSetCommitments', args });
      return readFlag(await rpc('eth_call', [{ to: contract, data }, 'latest']).catch(refuseRevert));
    },
    async commitments({ contract, user, setCid, fromBlock, toBlock }) {
      const args = { user: user as Hex, setCid: setCid as Hex };
      const topics = encodeEventTopics({ abi, eventName: 'AddSetObject', args });
      const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
      return readCommitments(await rpc('eth_getLogs', [{ address: contract, topics, ...range }]));
    },
    send: async (raw) => void (await rpc('eth_sendRawTransaction', [raw])),
  };
}

/** Returns the calldata that adds a set. */
export function encodeSet(setCid: string): Hex {
  return encodeFunctionData({ abi, functionName: 'addSet', args: [setCid as Hex] });
}

/** Returns the calldata that adds objects to a set. */
export function encodeObjects(setCid: string, objectCids: readonly string[]): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'addSetObjectsBatch',
    args: [setCid as Hex, objectCids as readonly Hex[]],
  });
}

/** Returns the objects of calldata that `encodeObjects` returned; none for other calldata. */
export function decodeObjects(data: string): string[] {
  if (!data.startsWith(encodeObjects(NO_SET, []).slice(0, SELECTOR_LENGTH))) return [];
  const { args } = decodeFunctionData({ abi, data: data as Hex });
  return [...(args[1] as readonly Hex[])];
}

const NO_SET: Hex = `0x${'0'.repeat(64)}`;
/** `0x` and four bytes. */
const SELECTOR_LENGTH = 10;

/** Reads a boolean that a contract returned. Something else means that the contract is another one. */
function readFlag(value: unknown): boolean {
  const hex = readHex(value);
  if (!/^0x0{63}[01]$/.test(hex)) throw new NotACommitmentContract();
  return hex.endsWith('1');
}

/** A contract without this function reverts. */
function refuseRevert(error: unknown): never {
  throw error instanceof NodeRefusal && /revert/i.test(error.message) ? new NotACommitmentContract() : error;
}

/** The contract at the configured address has another interface. */
export class NotACommitmentContract extends Error {
  override readonly name = 'NotACommitmentContract';
}

function toHex(value: number): Hex {
  return `0x${value.toString(16)}`;
}

function fail(): never {
  throw malformedReply();
}
