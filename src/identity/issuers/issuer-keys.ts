import type { createLocalJWKSet } from 'jose';
import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import type { Clock, Log } from '../../platform/index.ts';
import { fetchKeys } from './fetch-keys.ts';

/** Keys are fetched again after this time. A withdrawn key is accepted no longer than this if the issuer responds. */
export const KEY_REFRESH_MS = 10 * MINUTE_MS;
/** If the issuer does not respond, its last keys are accepted for this time. */
export const MAX_STALE_KEY_MS = DAY_MS;
/**
 * The shortest time between two fetches. Any caller can send tokens with unknown keys; such tokens must not flood the
 * issuer with requests.
 */
export const MIN_KEY_FETCH_INTERVAL_MS = 30_000;

export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The cached keys of one issuer. */
export interface IssuerKeys {
  /** Returns the keys, or null if the issuer has not responded within the last day. Takes at most two timeouts. */
  current(): Promise<KeySet | null>;
  /**
   * Returns the issuer's keys if they have been fetched again since `known`, otherwise null. For a token whose key is
   * not in `known`.
   */
  newerThan(known: KeySet): Promise<KeySet | null>;
}

export interface IssuerKeysOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  /** The ranges of addresses at which a key set may be although they are not public. */
  readonly allow?: readonly string[] | undefined;
}

export function cacheIssuerKeys(issuer: string, { clock, log, timeoutMs, allow }: IssuerKeysOptions): IssuerKeys {
  let cached: { readonly set: KeySet; readonly at: number } | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let pending: Promise<void> | undefined;

  const since = (time: number) => clock.now().getTime() - time;

  async function fetchNow(): Promise<void> {
    fetchedAt = clock.now().getTime();
    try {
      const { createLocalJWKSet } = await import('jose');
      cached = { set: createLocalJWKSet(await fetchKeys(issuer, timeoutMs, { allow })), at: clock.now().getTime() };
      hasFailed = false;
    } catch (err) {
      hasFailed = true;
      log.warn({ issuer, err }, 'could not fetch the keys of an issuer');
    }
  }

  /** Fetches the keys once for all concurrent callers. The promise does not reject. */
  function refresh(): Promise<void> {
    if (pending === undefined && since(fetchedAt) < MIN_KEY_FETCH_INTERVAL_MS) return Promise.resolve();
    pending ??= fetchNow().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  const usable = () => (cached !== undefined && since(cached.at) < MAX_STALE_KEY_MS ? cached.set : null);

  return {
    async current() {
      if (cached !== undefined && since(cached.at) < KEY_REFRESH_MS) return cached.set;
      const refreshed = refresh();
      // If there are usable keys, a request does not wait for an issuer that did not respond the last time.
      if (!hasFailed || usable() === null) await refreshed;
      return usable();
    },
    async newerThan(known) {
      await refresh();
      const set = usable();
      return set === known ? null : set;
    },
  };
}
