import type { Database } from '../../platform/index.ts';
import { type Claim, giveBack, RENEW_MS, renewClaim } from './claim.ts';

/**
 * Does some work while a claim is renewed; work that fails gives it back. When it is lost, or `signal` aborts, so does the
 * signal that the work gets.
 */
export async function keepClaim<Result>(
  database: Database,
  claim: Claim,
  signal: AbortSignal | undefined,
  work: (held: AbortSignal) => Promise<Result>,
  everyMs = RENEW_MS,
): Promise<Result> {
  const lost = new AbortController();
  const held = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
  const timer = setInterval(() => {
    renewClaim(database, claim).catch((error) => lost.abort(error));
  }, everyMs);
  try {
    return await work(held);
  } catch (error) {
    // Otherwise nobody could take it before the claim expires. If this fails, that is what happens.
    await giveBack(database, claim).catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}
