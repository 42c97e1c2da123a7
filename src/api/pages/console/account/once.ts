import { runInTurn } from '../actions/run-in-turn.ts';

/** How long the result of a form is kept for the second click. It contains a secret, so it is not kept for longer. */
const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;

const results = new Map<string, unknown>();

/**
 * Runs what a form asks for once. If the form is sent again within a minute, as by a second click, its first result is
 * returned: the browser shows the response to the second click, which must contain the secret as well.
 *
 * @param key names the form and the session that it was made for
 */
export function runOnce<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
  return runInTurn(key, async () => {
    if (results.has(key)) return results.get(key) as Result;
    const result = await run();
    if (results.size >= MAX_KEPT) results.delete(results.keys().next().value ?? '');
    results.set(key, result);
    setTimeout(() => results.delete(key), KEPT_MS).unref();
    return result;
  });
}
