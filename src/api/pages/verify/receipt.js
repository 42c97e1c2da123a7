import { isObject } from './content-id.js';
import { isInstant, SCHEMA_VERSION } from './document.js';

/**
 * @typedef {Readonly<Record<string, unknown>>} Fields
 *
 * @typedef {object} DescribedReceipt
 * @property {string} headline
 * @property {readonly string[]} problems
 * @property {readonly import('./verdict.js').Fact[]} facts
 * @property {readonly string[]} findings
 */

/** How far the time of a block may be before that of the machine that made the document, as for the command. */
const MAX_BLOCK_LAG_MS = 15 * 60_000;
const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** What each status of a proof without a receipt means. */
const WAITING = new Map([
  ['pending', 'The proof waits to be stamped.'],
  ['stamping', 'The stamp was sent, but its chain had not confirmed it when this file was made.'],
  ['unavailable', 'The proof is not stamped.'],
]);

const UNSTAMPED = {
  headline: 'The document has the content id that the file states. It has no receipt.',
  problems: [],
  findings: ['Without a receipt, the file does not prove when the document was made.'],
};

/**
 * Checks the form of a receipt, and that it is for the document. Only its chain can confirm it.
 *
 * @param {unknown} provenance null if the file has none
 * @param {string} cid the content id of the document
 * @param {Pick<import('./document.js').DescribedDocument, 'made' | 'compareWith'>} document
 * @returns {DescribedReceipt}
 */
export function describeReceipt(provenance, cid, { made, compareWith }) {
  if (provenance === null) return { ...UNSTAMPED, facts: [['Receipt', 'None in this file.']] };
  if (!isObject(provenance)) return refuse(['provenance: is not an object.']);
  const problems = [...findProblems(provenance, cid, made)];
  if (problems.length > 0) return refuse(problems);
  const { status, receipt, error_code: code } = provenance;
  if (isObject(receipt)) return describeStamp(receipt, compareWith);
  const meaning = `${WAITING.get(String(status))}${code === null ? '' : ` (${code})`}`;
  return { ...UNSTAMPED, facts: [['Receipt', meaning]] };
}

/**
 * @param {readonly string[]} problems
 * @returns {DescribedReceipt}
 */
function refuse(problems) {
  return { headline: '', problems, facts: [], findings: [] };
}

/**
 * @param {Fields} provenance
 * @param {string} cid
 * @param {import('./document.js').StatedTime | null} made
 * @returns {Generator<string>}
 */
function* findProblems(provenance, cid, made) {
  const { provider, schema_version: version, status, content_cid, receipt, error_code: code, ...others } = provenance;
  // Files that were issued before proofs were stamped have the second name.
  const isKnown = provider === 'vbase' || (provider === 'evm_merkle' && status === 'unavailable');
  if (!isKnown) yield 'provenance.provider: is not vbase.';
  if (version !== SCHEMA_VERSION) yield `provenance.schema_version: is not ${SCHEMA_VERSION}.`;
  if (content_cid !== cid) yield `provenance.content_cid: is not the document’s, ${cid}.`;
  if (code !== null && typeof code !== 'string') yield 'provenance.error_code: is not a text or null.';
  else if (code !== null && status === 'stamped') {
    yield 'provenance.error_code: is not null, but the status is stamped.';
  }
  yield* unknownFields(others, 'provenance');
  if (status === 'stamped') {
    if (!isObject(receipt)) yield 'provenance.receipt: is missing, but the status is stamped.';
    else yield* findStampProblems(receipt, cid, made);
  } else if (typeof status !== 'string' || !WAITING.has(status)) {
    yield 'provenance.status: is not pending, stamping, stamped or unavailable.';
  } else if (receipt !== null) yield 'provenance.receipt: is not null, but the status is not stamped.';
}

/**
 * @param {Fields} stamp
 * @param {string} cid
 * @param {import('./document.js').StatedTime | null} made
 * @returns {Generator<string>}
 */
function* findStampProblems(stamp, cid, made) {
  const { object_cid: object, set_cid: set, transaction_hash: transaction, user_address: address, ...rest } = stamp;
  const { user_label: label = '', chain_id: chain, timestamp, ...others } = rest;
  const path = 'provenance.receipt';
  if (object !== cid) yield `${path}.object_cid: is not the document’s content id, ${cid}.`;
  if (!matches(HASH, set)) yield `${path}.set_cid: is not 0x and 64 hexadecimal digits.`;
  if (!matches(HASH, transaction)) yield `${path}.transaction_hash: is not 0x and 64 hexadecimal digits.`;
  if (address !== null && !matches(ADDRESS, address)) yield `${path}.user_address: is not an address or null.`;
  if (typeof label !== 'string') yield `${path}.user_label: is not a text.`;
  if (!Number.isSafeInteger(chain) || Number(chain) < 1) yield `${path}.chain_id: is not a chain id.`;
  if (!isInstant(timestamp)) yield `${path}.timestamp: is not a time in UTC.`;
  else if (made !== null && Date.parse(timestamp) < Date.parse(made.instant) - MAX_BLOCK_LAG_MS) {
    yield `${path}.timestamp: is before ${made.field}: a stamp cannot be older than its document.`;
  }
  yield* unknownFields(others, path);
}

/**
 * @param {Fields} fields
 * @param {string} path
 * @returns {Generator<string>}
 */
function* unknownFields(fields, path) {
  for (const key of Object.keys(fields))
    yield `${path}: has the field ${JSON.stringify(key)}, which receipts do not have.`;
}

/**
 * @param {RegExp} pattern
 * @param {unknown} value
 */
function matches(pattern, value) {
  return typeof value === 'string' && pattern.test(value);
}

/**
 * @param {Fields} receipt a well-formed one
 * @param {(instant: string) => string} compareWith
 * @returns {DescribedReceipt}
 */
function describeStamp(receipt, compareWith) {
  const {
    chain_id: chain,
    transaction_hash: transaction,
    timestamp,
    user_address: address,
    user_label: label,
  } = receipt;
  const by = address === null ? 'an address that the receipt does not name' : `address ${address}`;
  return {
    headline:
      'The document has the content id that the file states, and the receipt is for it. Only the chain can confirm the receipt.',
    problems: [],
    facts: [
      ['Receipt', 'Stamped, as the file states.'],
      ['Chain id', String(chain)],
      ['Transaction', String(transaction)],
      ['Time of the stamp', String(timestamp)],
      ['Address', address === null ? 'none' : String(address)],
      ...(label === undefined ? [] : [/** @type {const} */ (['Display name of the account', String(label)])]),
      ['Set id', String(receipt.set_cid)],
    ],
    findings: [
      `Recorded on chain ${chain} in transaction ${transaction} at ${timestamp} by ${by}, if that chain confirms it.`,
      `Then the document existed at ${timestamp}. ${compareWith(String(timestamp))}`,
      `To compare in a block explorer of chain ${chain}: the transaction succeeded, the time of its block is ${timestamp}, and its event AddSetObject has the set id, the content id and the address that are listed below.`,
    ],
  };
}
