import { ConfigError, type SecretValue } from '../../platform/index.ts';
import { setCid as toSetCid } from '../documents/content-ids.ts';
import { hasReachedDailyLimit, markWaiting, releaseOtherChains } from '../receipts/waiting-proofs.ts';
import type { RoundOptions, StampContext, Stamper, StampRound } from '../stamping/stamper.ts';
import { type ClaimedProof, claimProofs, releaseProofs } from './claims.ts';
import { ensureCollection, hasCollection } from './collection.ts';
import { createPause } from './pause.ts';
import { recoverStamps } from './recover-stamps.ts';
import { type SentProofs, type StampingParts, stampProofs } from './stamp-proofs.ts';
import { createVbaseClient } from './vbase-client.ts';
import { VbaseError } from './vbase-error.ts';

/** The documented address of vBase's service. */
export const VBASE_URL = 'https://app.vbase.com';

export interface VbaseOptions {
  readonly key: SecretValue;
  /** The address of the service, with or without `/api/v1`. */
  readonly url: string;
  readonly collection: string;
  /** The time limit of a request. A stamp takes as long as a transaction on the chain. Default: 60 seconds. */
  readonly requestMs?: number;
  /**
   * The time after a request of unknown outcome until the service is asked for the stamp and, if it has none, the request
   * is repeated. vBase does not document when a new stamp can be found. Default: 5 minutes.
   */
  readonly settleMs?: number;
  /** Maximum number of proofs in a round. Default: 50. */
  readonly maxProofs?: number;
}

/** How long a round keeps proofs that it has not sent, if its process dies. */
const CLAIM_MS = 10 * 60_000;

/** Creates the stamper that uses vBase's REST service. */
export function createVbaseStamper(context: StampContext, options: VbaseOptions): Stamper {
  const { database, clock, log, perDay } = context;
  const { key, url, collection, requestMs = 60_000, settleMs = 5 * 60_000, maxProofs = 50 } = options;
  const client = createVbaseClient({ clock, key, url, requestMs });
  const set = { name: collection, setCid: toSetCid(collection) };
  const pause = createPause({ clock, log });
  const parts: StampingParts = { database, clock, log, client, setCid: set.setCid, requestMs, settleMs };
  let hasSet = false;
  let areOthersReleased = false;

  async function stamp(claimed: readonly ClaimedProof[], claim: Date, signal: AbortSignal): Promise<SentProofs> {
    try {
      if (!hasSet) await ensureCollection(client, set, signal);
      hasSet = true;
      const recovered = await recoverStamps(parts, claimed, claim, signal);
      const result = await stampProofs(parts, recovered.missing, claim, signal);
      // The collection may have been removed.
      if (result.refused > 0) hasSet = false;
      return {
        ...result,
        stamped: result.stamped + recovered.stamped,
        refused: result.refused + recovered.refused,
      };
    } catch (error) {
      if (!(error instanceof VbaseError)) throw error;
      return { unsent: claimed, sent: 0, stamped: 0, refused: 0, unclear: 0, failure: error };
    }
  }

  async function runRound({ takesNew, signal }: RoundOptions): Promise<StampRound> {
    const paused = pause.current();
    if (paused !== null) await markWaiting(database, paused);
    if (paused !== null || signal.aborted) return { sent: 0, stamped: 0, waitCode: paused, isUnfinished: false };
    if (!areOthersReleased) await releaseOtherChains(database, null);
    areOthersReleased = true;
    const now = clock.now();
    const claim = new Date(now.getTime() + CLAIM_MS);
    const claimed = await claimProofs(database, { limit: maxProofs, perDay, now, until: claim, takesNew });
    if (claimed.length === 0) return { sent: 0, stamped: 0, waitCode: await findWaitCode(), isUnfinished: false };
    const result = await stamp(claimed, claim, signal);
    await releaseProofs(
      database,
      result.unsent.map(({ contentCid }) => contentCid),
      { claim },
    );
    if (result.stamped > 0) pause.end();
    if (result.failure !== null && !signal.aborted) pause.begin(result.failure);
    const code = pause.current();
    if (code !== null) await markWaiting(database, code);
    const waitCode = code ?? (await findWaitCode(result));
    return {
      sent: result.sent,
      stamped: result.stamped,
      waitCode,
      isUnfinished: claimed.length === maxProofs && code === null,
    };
  }

  async function findWaitCode({ refused, unclear } = { refused: 0, unclear: 0 }): Promise<StampRound['waitCode']> {
    if (await hasReachedDailyLimit(database)) return 'DAILY_LIMIT';
    if (unclear > 0) return 'STAMPER_UNREACHABLE';
    return refused > 0 ? 'STAMPER_REJECTED' : null;
  }

  return {
    userAddress: null,
    async check(signal) {
      try {
        hasSet = hasCollection(await client.listCollections(signal), set);
        return true;
      } catch (error) {
        if (!(error instanceof VbaseError)) throw error;
        if (error.fault === 'unauthorized' || error.fault === 'other_set') throw new ConfigError(error.message);
        return false;
      }
    },
    runRound,
  };
}
