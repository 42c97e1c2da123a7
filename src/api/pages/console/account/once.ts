import { LruCache } from '../../../../platform/index.ts';
import { runInTurn } from '../actions/run-in-turn.ts';

/** How long a form is remembered for the second click. */
const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;

/** What is remembered of something that a form made: enough to name it, and no secret. */
export interface Made {
  readonly id: string;
  readonly name: string | null;
}

const made = new LruCache<string, { readonly result: Made; readonly until: number }>({ maxEntries: MAX_KEPT });

/**
 * Runs what a form asks for once. If the form is sent again within a minute, as by a second click, nothing runs, and the
 * name of what the first one made is returned. Its secret is not kept.
 *
 * @param key names the form and the session that it was made for
 */
export function runOnce<Result extends Made>(
  key: string,
  run: () => Promise<Result>,
): Promise<{ readonly first: Result } | { readonly repeated: Made }> {
  return runInTurn(key, async () => {
    const known = made.get(key);
    if (known !== undefined && known.until > performance.now()) return { repeated: known.result };
    const first = await run();
    made.set(key, { result: { id: first.id, name: first.name }, until: performance.now() + KEPT_MS });
    return { first };
  });
}
