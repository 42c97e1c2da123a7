import { z } from 'zod';
import { cleanText } from '../../platform/index.ts';
import type { Stamp } from '../receipts/record-stamps.ts';

/** What a receipt must be about, and how it was obtained. */
export interface ExpectedReceipt {
  readonly contentCid: string;
  readonly setCid: string;
  readonly now: Date;
  /** The stamp cannot be older. */
  readonly notBefore: Date;
  /** Whether recovery returned it, which may contain the name of the account in place of its address. */
  readonly isRecovered: boolean;
  /** The zone of a time that states none. Default: UTC. */
  readonly timezone?: string | null;
}

/** The error for a receipt that would not verify. Its message names the field. */
export class InvalidReceiptError extends Error {
  override readonly name = 'InvalidReceiptError';
}

/**
 * A time before the first proof of any installation. A stamp that is found again can be as old as its document, whose time
 * the row of a proof does not have: older forecasts are handed over later, and again after a loss of the rows. The verifiers
 * compare the stamp with the document.
 */
export const FIRST_STAMP_AT = new Date('2020-01-01T00:00:00Z');

const MAX_LABEL_LENGTH = 200;
/** How far the clock of this machine may be behind that of the chain. */
const MAX_CLOCK_LAG_MS = 60 * 60 * 1000;

/** 32 bytes in hexadecimal digits of either case, with or without `0x`. */
const hash = z
  .string()
  .regex(/^(0x)?[0-9a-f]{64}$/i)
  .transform((text) => `0x${text.slice(-64).toLowerCase()}`);
const fields = z.object({
  transaction_hash: hash,
  set_cid: hash,
  object_cid: hash,
  timestamp: z.string(),
  chain_id: z.int().min(1),
});
const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** The time of a block has whole seconds. */
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.0{1,9})?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** Checks a receipt of vBase's service and converts it. Throws an `InvalidReceiptError` if it would not verify. */
export function readReceipt(receipt: Readonly<Record<string, unknown>>, expected: ExpectedReceipt): Stamp {
  const { success, data, error } = fields.safeParse(receipt);
  if (!success) throw new InvalidReceiptError(`${String(error.issues[0]?.path[0])}: is not valid.`);
  if (data.object_cid !== expected.contentCid) throw new InvalidReceiptError('object_cid: is another content id.');
  if (data.set_cid !== expected.setCid) throw new InvalidReceiptError('set_cid: is another collection.');
  const { user_address: address } = receipt;
  const isAddress = typeof address === 'string' && ADDRESS.test(address);
  return {
    contentCid: data.object_cid,
    setCid: data.set_cid,
    transactionHash: data.transaction_hash,
    userAddress: isAddress ? address.toLowerCase() : null,
    userLabel: expected.isRecovered ? readLabel(receipt, isAddress) : null,
    chainId: data.chain_id,
    timestamp: readTime(data.timestamp, expected),
  };
}

/** Returns the content id and the collection of a receipt that may be invalid otherwise; null if they have no such form. */
export function readIds({ object_cid, set_cid }: Readonly<Record<string, unknown>>): {
  readonly contentCid: string | null;
  readonly setCid: string | null;
} {
  return { contentCid: hash.safeParse(object_cid).data ?? null, setCid: hash.safeParse(set_cid).data ?? null };
}

/** Returns the name of the account: a field of its own, or what is in place of the address. */
function readLabel({ user_label, user_address }: Readonly<Record<string, unknown>>, isAddress: boolean): string | null {
  const label = user_label ?? (isAddress ? null : user_address);
  return typeof label === 'string' ? cleanText(label, MAX_LABEL_LENGTH) || null : null;
}

function readTime(text: string, { now, notBefore, timezone }: ExpectedReceipt): Date {
  const [, day = '', time, zone] = TIME.exec(text) ?? [];
  if (zone === undefined && timezone && !/^(UTC|Etc\/UTC|GMT)$/i.test(timezone)) {
    throw new InvalidReceiptError(
      'timestamp: has no zone, and the account at vBase does not show times in UTC. Set its time zone to UTC.',
    );
  }
  const offset = zone === undefined || /^(Z|UTC)$/.test(zone) ? 'Z' : zone.replace(/^(...):?/, '$1:');
  const timestamp = new Date(`${day}T${time}${offset}`);
  if (!isRealDay(day) || !(timestamp.getTime() <= now.getTime() + MAX_CLOCK_LAG_MS)) {
    throw new InvalidReceiptError('timestamp: is not the time of a block, or it is in the future.');
  }
  if (timestamp < notBefore) {
    throw new InvalidReceiptError(`timestamp: is before ${notBefore.toISOString()}, when there was no such stamp.`);
  }
  return timestamp;
}

/** Returns whether a day exists. `Date` converts February 30 to a day in March. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
