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
 */
export function checkReceipt(provenance: unknown, cid: string): ReceiptForm {
  if (provenance === undefined || provenance === null) return { state: 'absent', problems: [], stamp: null };
  const read = receiptSchema.safeParse(provenance);
  if (!read.success) {
    const problems = [...formatIssues(read.error.issues, 'provenance', ['provenance'])];
    return { state: 'malformed', problems, stamp: null };
  }
  const problems = [...findContradictions(read.data, cid)];
  return { state: read.data.status, problems, stamp: read.data.receipt };
}

function* findContradictions(
  { provider, status, content_cid, receipt }: z.output<typeof receiptSchema>,
  cid: string,
): Generator<string> {
  if (provider !== 'vbase' && status !== 'unavailable') yield 'provenance.provider: is not vbase.';
  if (content_cid !== cid) yield 'provenance.content_cid: is not the content id of the document.';
  if (status === 'stamped' && receipt === null) yield 'provenance.receipt: is missing, but the status is stamped.';
  if (status !== 'stamped' && receipt !== null) yield `provenance.status: is ${status}, but there is a receipt.`;
  if (receipt !== null && receipt.object_cid !== cid) {
    yield 'provenance.receipt.object_cid: is not the content id of the document.';
  }
}
