import { z } from 'zod';
import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { formatIssues } from './problem-texts.ts';
import { instant } from './proof-fields.ts';

const STATUSES = ['pending', 'stamping', 'stamped', 'unavailable'] as const;

export type ReceiptState = (typeof STATUSES)[number] | 'absent' | 'malformed';

/** The record of a content id on a chain, as a stamped receipt states it. */
export interface StatedStamp {
  readonly object_cid: string;
  readonly set_cid: string;
  readonly transaction_hash: string;
  readonly user_address: string | null;
  readonly user_label?: string | undefined;
  readonly chain_id: number;
  readonly timestamp: string;
}

/** What a file states about the receipt of its proof. */
export interface ReceiptForm {
  readonly state: ReceiptState;
  readonly problems: readonly string[];
  readonly stamp: StatedStamp | null;
}

/** When a document was made, as it states. */
export interface StatedTime {
  /** The field that states it. */
  readonly field: string;
  readonly instant: string;
}

/**
 * How far the time of a block may be before the clock of the machine. The producers of blocks choose their times, some
 * chains lag by minutes, and the clock of the machine may be fast. A larger difference means that one of the times is false.
 */
export const MAX_BLOCK_LAG_MS = 15 * 60_000;

const hash = () => z.string().regex(/^0x[0-9a-f]{64}$/, 'is not 0x and 64 hexadecimal digits');

const stampSchema: z.ZodType<StatedStamp> = z.strictObject({
  object_cid: hash(),
  set_cid: hash(),
  transaction_hash: hash(),
  user_address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address')
    .nullable(),
  user_label: z.string().exactOptional(),
  chain_id: z.int().min(1),
  timestamp: instant(),
});

/** Separate from the schema of the API, because it must accept every receipt that was ever issued. */
const receiptSchema = z.strictObject({
  // Receipts that were issued before proofs could be stamped name the other provider and are all unavailable.
  provider: z.enum(['vbase', 'evm_merkle']),
  schema_version: z.literal(PROOF_SCHEMA_VERSION),
  status: z.enum(STATUSES),
  content_cid: hash().nullable(),
  receipt: stampSchema.nullable(),
  error_code: z.string().nullable(),
});

/**
 * Checks the form of a receipt and that it belongs to the document. Whether a chain has it is another question.
 *
 * @param cid the content id of the document
 * @param made null if the document does not state it in a valid form
 */
export function checkReceipt(provenance: unknown, cid: string, made: StatedTime | null): ReceiptForm {
  if (provenance === undefined || provenance === null) return { state: 'absent', problems: [], stamp: null };
  const read = receiptSchema.safeParse(provenance);
  if (!read.success) {
    const problems = [...formatIssues(read.error.issues, 'provenance', ['provenance'])];
    return { state: 'malformed', problems, stamp: null };
  }
  const problems = [...findContradictions(read.data, cid, made)];
  return { state: read.data.status, problems, stamp: read.data.receipt };
}

function* findContradictions(
  { provider, status, content_cid, receipt, error_code }: z.output<typeof receiptSchema>,
  cid: string,
  made: StatedTime | null,
): Generator<string> {
  if (provider !== 'vbase' && status !== 'unavailable') yield 'provenance.provider: is not vbase.';
  if (content_cid !== cid) yield 'provenance.content_cid: is not the content id of the document.';
  if (status === 'stamped' && receipt === null) yield 'provenance.receipt: is missing, but the status is stamped.';
  if (status !== 'stamped' && receipt !== null) yield `provenance.status: is ${status}, but there is a receipt.`;
  if (status === 'stamped' && error_code !== null) {
    yield 'provenance.error_code: is not null, but the status is stamped.';
  }
  if (receipt !== null && receipt.object_cid !== cid) {
    yield 'provenance.receipt.object_cid: is not the content id of the document.';
  }
  if (receipt !== null && made !== null && isOlder(receipt, made)) {
    yield `provenance.receipt.timestamp: is before ${made.field}: a stamp cannot be older than its document.`;
  }
}

function isOlder({ timestamp }: StatedStamp, { instant }: StatedTime): boolean {
  return Date.parse(timestamp) < Date.parse(instant) - MAX_BLOCK_LAG_MS;
}
