import type { IdentityContext } from '../context.ts';
import { readSigningKeys, type SigningKey } from './signing-keys.ts';

/** After so long a process sees that another one has changed the keys. */
const FRESH_MS = 60_000;
/** Between two readings. Anyone can send a token with a key that nobody knows; it must not cost a statement each. */
const COOLDOWN_MS = 1_000;

/** The keys of the installation as one process knows them. */
export interface HeldKeys {
  current(): Promise<readonly SigningKey[]>;
  /** For a token whose key is not among the current ones: those after a change that this process has not seen yet. */
  newest(): Promise<readonly SigningKey[]>;
}

export function holdKeys(context: IdentityContext): HeldKeys {
  let held: { readonly keys: readonly SigningKey[]; readonly at: number } | undefined;
  let reading: Promise<readonly SigningKey[]> | undefined;

  /** One reading at a time, whoever wants to know. */
  const read = (): Promise<readonly SigningKey[]> => {
    reading ??= readSigningKeys(context)
      .then((keys) => {
        held = { keys, at: performance.now() };
        return keys;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const notOlderThan = async (ms: number): Promise<readonly SigningKey[]> =>
    held && performance.now() - held.at < ms ? held.keys : read();

  return { current: () => notOlderThan(FRESH_MS), newest: () => notOlderThan(COOLDOWN_MS) };
}
