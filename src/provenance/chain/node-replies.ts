import { encodeEventTopics } from 'viem/utils';
import { isRecord } from '../../platform/index.ts';
import { COMMITMENT_SERVICE_ABI as abi } from './contract.ts';
import { malformedReply } from './json-rpc.ts';

export type Hex = `0x${string}`;

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: Date;
  /** In wei; null on a chain whose transactions have a gas price only. */
  readonly baseFee: bigint | null;
}

/** An AddSetObject event. */
export interface Commitment {
  readonly contract: string;
  readonly user: string;
  readonly setCid: string;
  readonly objectCid: string;
  /** The time that the event contains. */
  readonly time: Date;
  readonly blockNumber: number;
  readonly transactionHash: string;
}

export interface TransactionReceipt {
  readonly hash: string;
  readonly isSuccess: boolean;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly commitments: readonly Commitment[];
}

export interface ChainTransaction {
  readonly from: string;
  /** Null if the transaction creates a contract. */
  readonly to: string | null;
  readonly nonce: number;
  readonly data: string;
  readonly gas: number;
  /** Null while the transaction is in the pool. */
  readonly blockHash: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const [ADD_SET_OBJECT] = encodeEventTopics({ abi, eventName: 'AddSetObject' });

export function readBlock(value: unknown): Block | null {
  if (value === null) return null;
  const { number, hash, timestamp, baseFeePerGas } = readFields(value);
  return {
    number: readNumber(number),
    hash: readHash(hash),
    time: readTime(timestamp),
    baseFee: baseFeePerGas === undefined || baseFeePerGas === null ? null : readQuantity(baseFeePerGas),
  };
}

/** @returns null if no block contains the transaction */
export function readReceipt(value: unknown): TransactionReceipt | null {
  if (value === null) return null;
  const { transactionHash, status, blockNumber, blockHash, logs } = readFields(value);
  // Some nodes return a receipt of a transaction in the pool.
  if (blockHash === null) return null;
  return {
    hash: readHash(transactionHash),
    isSuccess: readQuantity(status) === 1n,
    blockNumber: readNumber(blockNumber),
    blockHash: readHash(blockHash),
    commitments: readCommitments(logs),
  };
}

export function readTransaction(value: unknown): ChainTransaction | null {
  if (value === null) return null;
  const { from, to, nonce, input, gas, blockHash } = readFields(value);
  return {
    from: readHex(from),
    to: to === null ? null : readHex(to),
    nonce: readNumber(nonce),
    data: readHex(input),
    gas: readNumber(gas),
    blockHash: blockHash === null || blockHash === undefined ? null : readHash(blockHash),
  };
}

/** Returns the AddSetObject events among logs. The published contract also emits others. */
export function readCommitments(value: unknown): Commitment[] {
  if (!Array.isArray(value)) throw malformedReply();
  return value
    .map(readFields)
    .filter(({ topics, removed }) => Array.isArray(topics) && topics[0] === ADD_SET_OBJECT && removed !== true)
    .map(({ address, topics, data, blockNumber, transactionHash }) => {
      const [, user, setCid, objectCid] = topics as readonly unknown[];
      return {
        contract: readHex(address),
        user: `0x${readHash(user).slice(-40)}`,
        setCid: readHash(setCid),
        objectCid: readHash(objectCid),
        time: readTime(data),
        blockNumber: readNumber(blockNumber),
        transactionHash: readHash(transactionHash),
      };
    });
}

export function readHex(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) throw malformedReply();
  return value.toLowerCase();
}

export function readQuantity(value: unknown): bigint {
  const hex = readHex(value);
  if (hex === '0x' || hex.length > 66) throw malformedReply();
  return BigInt(hex);
}

export function readNumber(value: unknown): number {
  const number = Number(readQuantity(value));
  if (!Number.isSafeInteger(number)) throw malformedReply();
  return number;
}

function readHash(value: unknown): string {
  const hex = readHex(value);
  if (hex.length !== 66) throw malformedReply();
  return hex;
}

function readTime(value: unknown): Date {
  const time = new Date(1_000 * readNumber(value));
  if (Number.isNaN(time.getTime())) throw malformedReply();
  return time;
}

function readFields(value: unknown): Fields {
  if (!isRecord(value)) throw malformedReply();
  return value;
}
