import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

// A second implementation of the verification of proofs, from their documentation: it uses neither the code of the
// service nor its libraries.

/** Calls a method of a node and returns its result. */
export type CallNode = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** The contract that the reader of a proof trusts. */
export interface TrustedContract {
  readonly call: CallNode;
  readonly contract: string;
}

/** Keccak-256 of `AddSetObject(address,bytes32,bytes32,uint256)`. */
export const ADD_SET_OBJECT_TOPIC = '0x38caddea36d4bb0fc2e9597e46fd18beb7d9b9508b4a997e438bdb877a17efa4';

type Fields = Readonly<Record<string, unknown>>;

const HASH = /^0x[0-9a-f]{64}$/;
const FILE_KEYS = ['content_cid', 'document', 'provenance'];
const PROVENANCE_KEYS = ['content_cid', 'error_code', 'provider', 'receipt', 'schema_version', 'status'];
const RECEIPT_KEYS = ['chain_id', 'object_cid', 'set_cid', 'timestamp', 'transaction_hash', 'user_address'];

/** Finds the problems of a proof file with a stamp: first in the file itself, then on the chain. */
export async function findStampProblems(text: string, trusted: TrustedContract): Promise<string[]> {
  const problems = findFileProblems(text);
  if (problems.length > 0) return problems;
  return findChainProblems((JSON.parse(text) as { provenance: { receipt: Fields } }).provenance.receipt, trusted);
}

/** Finds the problems of a proof file without a chain. The file must have a stamp, or no receipt at all. */
export function findFileProblems(text: string): string[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return ['the file is not JSON'];
  }
  if (!isObject(file) || !isObject(file.document)) return ['the file has no document'];
  const { document, content_cid: cid, provenance } = file;
  if (!hasKeys(file, provenance === undefined ? FILE_KEYS.slice(0, 2) : FILE_KEYS)) return ['the file has other keys'];
  if (document.hash !== undefined && document.hash !== 'sha3-256') return ['the hash is unknown'];
  const hash = document.hash ?? 'sha256';
  const computed = `0x${createHash(hash).update(canonicalText(document), 'utf8').digest('hex')}`;
  const problems = computed === cid ? [] : ['the content id is not that of the document'];
  if (document.schema_version !== 'almanac_forecast_proof_v1') problems.push('the schema version is unknown');
  return provenance === undefined ? problems : [...problems, ...findReceiptProblems(provenance, computed)];
}

function findReceiptProblems(provenance: unknown, cid: string): string[] {
  if (!isObject(provenance) || !hasKeys(provenance, PROVENANCE_KEYS)) return ['the receipt has other keys'];
  const { provider, schema_version, status, content_cid, receipt, error_code } = provenance;
  const expected = ['vbase', 'almanac_forecast_proof_v1', 'stamped', cid, null];
  if (!isDeepStrictEqual([provider, schema_version, status, content_cid, error_code], expected)) {
    return ['the receipt is not a stamped one of this document'];
  }
  if (!isObject(receipt) || !hasKeys(receipt, RECEIPT_KEYS)) return ['the stamp has other keys'];
  if (receipt.object_cid !== cid) return ['the stamp is about another document'];
  const { set_cid, transaction_hash, user_address, chain_id, timestamp } = receipt;
  if (!isText(set_cid, HASH) || !isText(transaction_hash, HASH)) return ['the stamp has a malformed hash'];
  if (!isText(user_address, /^0x[0-9a-f]{40}$/)) return ['the stamp has a malformed address'];
  if (!Number.isSafeInteger(chain_id) || (chain_id as number) < 1) return ['the stamp has a malformed chain'];
  return isText(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) ? [] : ['the stamp has a malformed time'];
}

async function findChainProblems(receipt: Fields, { call, contract }: TrustedContract): Promise<string[]> {
  if (Number(await call('eth_chainId')) !== receipt.chain_id) return ['the chain is another one'];
  const found = await call('eth_getTransactionReceipt', receipt.transaction_hash);
  if (!isObject(found)) return ['the chain does not have the transaction'];
  if (found.status !== '0x1') return ['the transaction failed'];
  const block = await call('eth_getBlockByHash', found.blockHash, false);
  const standing = await call('eth_getBlockByNumber', found.blockNumber, false);
  if (!isObject(block) || !isObject(standing) || standing.hash !== block.hash) return ['the block is not on the chain'];
  if (new Date(Number(block.timestamp) * 1_000).toISOString() !== receipt.timestamp) return ['the time is another one'];
  // Topics are 32 bytes, an address has 20.
  const user = `0x${'0'.repeat(24)}${String(receipt.user_address).slice(2)}`;
  const topics = [ADD_SET_OBJECT_TOPIC, user, receipt.set_cid, receipt.object_cid];
  const logs = (found.logs as Fields[]).filter(
    (log) => isSameText(log.address, contract) && isDeepStrictEqual(log.topics, topics),
  );
  if (logs.length !== 1) return [`the transaction has ${logs.length} events of this stamp`];
  return BigInt(String(logs[0]?.data)) === BigInt(String(block.timestamp)) ? [] : ['the event has another time'];
}

/** Writes a value as canonical JSON (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // `<` compares the UTF-16 code units of texts, as the standard requires.
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join(',')}}`;
}

/**
 * Returns a function that calls a node and remembers the replies, because thousands of proofs share few transactions.
 * The chain must not change meanwhile.
 */
export function createCachedNode(url: string): CallNode {
  const replies = new Map<string, Promise<unknown>>();
  const post = async (body: string): Promise<unknown> => {
    // The node closes idle connections, which a busy test would use again too late.
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const reply = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Fields;
    if (reply.error !== undefined) throw new Error(`The node replied with an error: ${JSON.stringify(reply.error)}`);
    return reply.result;
  };
  return (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const reply = replies.get(body) ?? post(body);
    replies.set(body, reply);
    return reply;
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasKeys(value: Fields, keys: readonly string[]): boolean {
  return isDeepStrictEqual(Object.keys(value).sort(), [...keys]);
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isSameText(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}
