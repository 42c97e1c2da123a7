import type { createLocalJWKSet } from 'jose';
import type { Clock, Log } from '../../platform/index.ts';
import { fetchKeys } from './fetch-keys.ts';

/** Keys are asked for again after this: so long at most a withdrawn key is still good. */
export const FRESH_MS = 10 * 60_000;
/** While the issuer does not answer, the keys it had are good for this long. */
export const MAX_AGE_MS = 24 * 3_600_000;
/** Between two questions. Anyone can send a token with a key that nobody knows; it must not become a flood. */
export const COOLDOWN_MS = 30_000;

export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The keys of one issuer, held for a while. */
export interface IssuerKeys {
  /** Null when the issuer has not answered, or not for too long. Waits no longer than two timeouts. */
  current(): Promise<KeySet | null>;
  /** For a token whose key is not among these: others, if the issuer has changed them. */
  newerThan(known: KeySet): Promise<KeySet | null>;
}

export interface IssuerKeysOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
}

export function holdKeys(issuer: string, { clock, log, timeoutMs }: IssuerKeysOptions): IssuerKeys {
  let held: { readonly set: KeySet; readonly at: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failing = false;
  let answer: Promise<void> | undefined;

  const since = (moment: number) => clock.now().getTime() - moment;

  async function ask(): Promise<void> {
    askedAt = clock.now().getTime();
    try {
      const { createLocalJWKSet } = await import('jose');
      held = { set: createLocalJWKSet(await fetchKeys(issuer, timeoutMs)), at: clock.now().getTime() };
      failing = false;
    } catch (err) {
      failing = true;
      log.warn({ issuer, err }, 'The keys of an issuer could not be had.');
    }
  }

  /** One question at a time, whoever wants to know. Never rejects. */
  function refresh(): Promise<void> {
    if (answer === undefined && since(askedAt) < COOLDOWN_MS) return Promise.resolve();
    answer ??= ask().finally(() => {
      answer = undefined;
    });
    return answer;
  }

  const usable = () => (held !== undefined && since(held.at) < MAX_AGE_MS ? held.set : null);

  return {
    async current() {
      if (held !== undefined && since(held.at) < FRESH_MS) return held.set;
      const asked = refresh();
      // Requests with keys that are good need not wait for an issuer that did not answer the last time.
      if (!failing || usable() === null) await asked;
      return usable();
    },
    async newerThan(known) {
      await refresh();
      const set = usable();
      return set === known ? null : set;
    },
  };
}
