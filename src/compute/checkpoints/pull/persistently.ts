import type { Pull } from './pull.ts';
import { withRetries } from './retries.ts';

/** A step of a pull, tried again as patiently as the pull is. */
export function persistently<Result>(pull: Pull, url: string, step: () => Promise<Result>): Promise<Result> {
  const onRetry = (why: string) => pull.onEvent({ kind: 'note', text: `${why}; trying again` });
  return withRetries(url, pull.patience, step, { onRetry, signal: pull.signal });
}
