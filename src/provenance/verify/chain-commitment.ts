import { z } from 'zod';
import type { StatedStamp } from '../documents/receipt-form.ts';
import { type ChainNode, ChainNodeError, malformedReply } from './chain-node.ts';

/** The commitment of a content id, as a chain has it. */
export interface ChainCommitment {
  readonly chain_id: number;
  /** The contract that recorded the commitment. */
  readonly contract: string;
  /** The address for which the contract recorded it. */
  readonly user_address: string;
  readonly block_number: number;
  readonly block_hash: string;
  /** The time of the block. */
  readonly timestamp: string;
  /** The number of blocks from this one to the latest. */
  readonly confirmations: number;
}

export interface ConfirmedStamp {
  readonly commitment: ChainCommitment;
  /**
   * Why the commitment is the user's own: the contract is a known deployment or the one that the caller named, or the
   * user sent the transaction. Null if there is only the word of the contract.
   */
  readonly userIsShownBy: 'deployment' | 'named_contract' | 'sender' | null;
}

/** A stamp that the chain does not have as the receipt states it. */
export class StampMismatchError extends Error {
  override readonly name = 'StampMismatchError';
}

/** The deployments of vBase's contract, by chain. */
const DEPLOYMENTS: Readonly<Record<number, string>> = {
  137: '0x80d2ab15ee5b91cd7a183b8938dc277fe6191f7d',
  11155111: '0x8dced2bb01fad25336c3b43946c986c6c50ce3aa',
};

/** The first topic of the event AddSetObject(address,bytes32,bytes32,uint256). */
export const ADD_SET_OBJECT_TOPIC = '0x38caddea36d4bb0fc2e9597e46fd18beb7d9b9508b4a997e438bdb877a17efa4';
/** The selector of the function verifyUserObject(address,bytes32,uint256). */
export const VERIFY_USER_OBJECT_SELECTOR = '0x20134d19';

/**
 * Checks that a chain has the stamp of a receipt. Throws `StampMismatchError` if it has not, and `ChainNodeError` if the
 * node does not reply.
 *
 * @param contract the address that must have recorded the commitment. Default: any
 */
export async function verifyOnChain(
  stamp: StatedStamp,
  node: ChainNode,
  { contract: named }: { readonly contract?: string | undefined } = {},
): Promise<ConfirmedStamp> {
  await requireChain(stamp, node);
  const transaction = await readTransaction(stamp, node);
  const log = findCommitment(transaction.logs, stamp, named?.toLowerCase());
  const block = await readBlock(transaction, node);
  const timestamp = new Date(block.timestamp * 1000).toISOString();
  // A contract can put any time into its events. Only the time of the block is the chain's.
  if (BigInt(log.data) !== BigInt(block.timestamp))
    mismatch('receipt', 'the contract states another time than the block');
  if (Date.parse(stamp.timestamp) !== block.timestamp * 1000) {
    mismatch('receipt.timestamp', `is not the time of the block, ${timestamp}`);
  }
  const user = `0x${log.topics[1]?.slice(-40)}`;
  await requireConfirmation(node, { contract: log.address, user, object: stamp.object_cid, word: log.data });
  const commitment = {
    chain_id: stamp.chain_id,
    contract: log.address,
    user_address: user,
    block_number: block.number,
    block_hash: block.hash,
    timestamp,
    confirmations: await countConfirmations(block, node),
  };
  const isDeployment = DEPLOYMENTS[stamp.chain_id] === log.address;
  const isSender = transaction.from === user;
  const byContract = isDeployment ? 'deployment' : named === undefined ? null : 'named_contract';
  return { commitment, userIsShownBy: byContract ?? (isSender ? 'sender' : null) };
}

/** The largest time that a date can have, in seconds. */
const MAX_SECONDS = 8.64e12;

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);
const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${digits}}$`, 'i'))
    .toLowerCase();
const word = () => hex(64);
const logSchema = z.object({
  address: hex(40),
  topics: z.array(word()),
  data: z.string(),
  // Not every node returns these.
  removed: z.boolean().nullish(),
  transactionHash: word().nullish(),
  blockNumber: quantity.nullish(),
});
const transactionSchema = z.object({
  transactionHash: word(),
  from: hex(40),
  status: quantity,
  blockHash: word(),
  blockNumber: quantity,
  logs: z.array(logSchema),
});
const blockSchema = z.object({ hash: word(), number: quantity, timestamp: quantity.refine((at) => at <= MAX_SECONDS) });

type Log = z.output<typeof logSchema>;
type Transaction = z.output<typeof transactionSchema>;
type Block = z.output<typeof blockSchema>;

async function requireChain({ chain_id }: StatedStamp, node: ChainNode): Promise<void> {
  const chain = await callNode(node, 'eth_chainId', [], quantity);
  if (chain !== chain_id) mismatch('receipt.chain_id', `is ${chain_id}, but the node is on chain ${chain}`);
}

async function readTransaction({ transaction_hash: hash }: StatedStamp, node: ChainNode): Promise<Transaction> {
  const found = await callNode(node, 'eth_getTransactionReceipt', [hash], transactionSchema.nullable());
  if (found === null) mismatch('receipt.transaction_hash', 'the chain has no such transaction');
  if (found.transactionHash !== hash || !found.logs.every((log) => isOf(found, log))) {
    throw malformedReply('eth_getTransactionReceipt');
  }
  if (found.status !== 1) mismatch('receipt.transaction_hash', 'the transaction failed');
  return found;
}

function isOf(transaction: Transaction, { transactionHash, blockNumber }: Log): boolean {
  return (
    (transactionHash ?? transaction.transactionHash) === transaction.transactionHash &&
    (blockNumber ?? transaction.blockNumber) === transaction.blockNumber
  );
}

/** Returns the event that commits the content id. Each step names the first field that no event has. */
function findCommitment(logs: readonly Log[], stamp: StatedStamp, contract: string | undefined): Log {
  const { object_cid, set_cid, user_address } = stamp;
  const isUser = (topic: string) =>
    user_address === null ? /^0x0{24}/.test(topic) : topic === padAddress(user_address.toLowerCase());
  const commitments = logs.filter(
    ({ topics, data, removed }) =>
      // An event is removed if its block was replaced.
      removed !== true && topics[0] === ADD_SET_OBJECT_TOPIC && topics.length === 4 && /^0x[0-9a-f]{64}$/i.test(data),
  );
  const ofObject = commitments.filter(({ topics }) => topics[3] === object_cid);
  if (ofObject.length === 0) mismatch('receipt.object_cid', 'the transaction does not commit it');
  const inSet = ofObject.filter(({ topics }) => topics[2] === set_cid);
  if (inSet.length === 0) mismatch('receipt.set_cid', 'the transaction commits the content id to another collection');
  const byUser = inSet.filter(({ topics }) => isUser(topics[1] as string));
  if (byUser.length === 0) mismatch('receipt.user_address', 'the content id was committed for another address');
  const found = byUser.find(({ address }) => contract === undefined || address === contract);
  if (found === undefined) mismatch('receipt', 'another contract than the given one recorded the commitment');
  return found;
}

/** Reads the block of a transaction, and checks that it is still part of the chain. */
async function readBlock({ blockHash, blockNumber }: Transaction, node: ChainNode): Promise<Block> {
  const own = await callNode(node, 'eth_getBlockByHash', [blockHash, false], blockSchema.nullable());
  const number = `0x${blockNumber.toString(16)}`;
  const current = await callNode(node, 'eth_getBlockByNumber', [number, false], blockSchema.nullable());
  if (own === null || current?.hash !== blockHash) {
    mismatch('receipt.transaction_hash', 'its block is no longer part of the chain');
  }
  if (own.hash !== blockHash || own.number !== blockNumber) throw malformedReply('eth_getBlockByHash');
  return own;
}

interface Confirmation {
  readonly contract: string;
  readonly user: string;
  readonly object: string;
  /** The time as the word of 32 bytes that the event has. */
  readonly word: string;
}

async function requireConfirmation(node: ChainNode, { contract, user, object, word: time }: Confirmation) {
  const words = [padAddress(user), object, time].map((one) => one.slice(2)).join('');
  const request = { to: contract, data: `${VERIFY_USER_OBJECT_SELECTOR}${words}` };
  const reply = await callNode(node, 'eth_call', [request, 'latest'], z.string());
  if (!/^0x0{63}1$/.test(reply)) mismatch('receipt', 'the contract does not confirm the commitment');
}

/** Counts the blocks from this one to the latest. */
async function countConfirmations(block: Block, node: ChainNode): Promise<number> {
  const latest = await callNode(node, 'eth_blockNumber', [], quantity);
  // The node returned the block before, so its replies come from several machines or are false.
  if (latest < block.number) {
    throw new ChainNodeError('The node contradicts itself: its latest block is before the block of the transaction.');
  }
  return latest - block.number + 1;
}

async function callNode<Result>(
  node: ChainNode,
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<Result>,
): Promise<Result> {
  const read = schema.safeParse(await node.call(method, params));
  if (!read.success) throw malformedReply(method);
  return read.data;
}

function padAddress(address: string): string {
  return `0x${'0'.repeat(24)}${address.slice(2)}`;
}

function mismatch(field: string, problem: string): never {
  throw new StampMismatchError(`provenance.${field}: ${problem}.`);
}
