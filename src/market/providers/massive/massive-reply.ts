import { malformed, readRecord, readRecords } from '../../../platform/index.ts';
import type { MassivePlan } from './massive-plan.ts';

export const MASSIVE = 'massive';

/** The settings of the adapter, and what it has learned from replies. */
export interface MassiveSession {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly plan: MassivePlan;
}

export interface MassiveReply {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Massive omits the results if there are none. */
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly isDelayed: boolean;
}

/** Reads the envelope that all replies share. Throws a `ProviderError` with the fault MALFORMED for any other reply. */
export function readMassiveReply(value: unknown): MassiveReply {
  const fields = readRecord(MASSIVE, value);
  const { status, results } = fields;
  if (status !== 'OK' && status !== 'DELAYED') throw malformed(MASSIVE, 'status');
  return {
    fields,
    results: results === undefined || results === null ? [] : readRecords(MASSIVE, results),
    isDelayed: status === 'DELAYED',
  };
}

/** Checks that a reply with aggregates is complete and adjusted as requested. */
export function checkAggregates({ fields, results }: MassiveReply, isAdjusted: boolean): void {
  if (fields.adjusted !== isAdjusted) throw malformed(MASSIVE, 'another adjustment');
  if (fields.resultsCount !== results.length) throw malformed(MASSIVE, 'number of results');
}

/**
 * Returns the cursor of the next page; null if there is none. Only the cursor of its address is used, because the key
 * must not be sent to an address that a reply names.
 */
export function readNextCursor({ next_url: nextUrl }: Readonly<Record<string, unknown>>): string | null {
  if (nextUrl === undefined || nextUrl === null || nextUrl === '') return null;
  const cursor = typeof nextUrl === 'string' ? URL.parse(nextUrl)?.searchParams.get('cursor') : null;
  if (!cursor || cursor.length > MAX_CURSOR_LENGTH) throw malformed(MASSIVE, 'next_url');
  return cursor;
}

const MAX_CURSOR_LENGTH = 4_096;
