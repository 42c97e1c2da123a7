import { type RawBuilder, sql } from 'kysely';

/** The bucket holds a minute's requests divided by this number. That many requests may be sent without a pause. */
const BURST_SHARE = 6;

/** Returns how many requests may be sent without a pause. */
export function budgetCapacity(requestsPerMinute: number): number {
  return Math.max(1, requestsPerMinute / BURST_SHARE);
}

/**
 * Returns SQL for the tokens that are in the bucket of the row `s` at an instant. The bucket refills at a constant
 * rate. If the clock was set back, the difference counts as elapsed time, so that the bucket does not stay empty until
 * the clock has caught up.
 */
export function tokensAt(at: RawBuilder<Date>, requestsPerMinute: RawBuilder<number>): RawBuilder<number> {
  return sql`least(
    greatest(1, ${requestsPerMinute} / ${BURST_SHARE}::float8),
    s.tokens + abs(extract(epoch FROM ${at} - s.refilled_at))::float8 * ${requestsPerMinute} / 60
  )`;
}

/** Returns the milliseconds until a bucket that lacks a part of a token has a whole one. */
export function millisecondsToRefill(missingTokens: number, requestsPerMinute: number): number {
  return Math.max(1, Math.ceil((missingTokens / requestsPerMinute) * 60_000));
}
