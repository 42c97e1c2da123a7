import type { Clock } from '../../../platform/index.ts';
import type { CheckFiles, CheckpointFolders } from '../checkpoint.ts';
import type { PullSource } from './parse-source.ts';

/** How long a pull waits for a server, and how often it retries. */
export interface RetryPolicy {
  /** The longest time without data from the server within one attempt. */
  readonly stallMs: number;
  /** The delays before the second, the third and later attempts. The pull fails when no delay is left. */
  readonly delaysMs: readonly number[];
}

export interface PullOptions {
  /** Checks the content of the files before they are installed. */
  readonly check?: CheckFiles | undefined;
  readonly onEvent?: ((event: PullEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  readonly retryPolicy?: RetryPolicy;
  readonly maxBytes?: number;
  /** The ranges of addresses to which a redirect may lead although they are not public. Default: none. */
  readonly allow?: readonly string[] | undefined;
}

/** One pull with all its settings. */
export interface Pull {
  readonly folders: CheckpointFolders;
  readonly source: PullSource;
  readonly check: CheckFiles | undefined;
  readonly onEvent: (event: PullEvent) => void;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly retryPolicy: RetryPolicy;
  readonly maxBytes: number;
  readonly allow: readonly string[];
}

/** What a pull reports while it runs. */
export type PullEvent =
  | { readonly kind: 'progress'; readonly received: number; readonly total: number | undefined; readonly rate: number }
  | { readonly kind: 'note'; readonly text: string };

const MIN_INTERVAL_MS = 250;

/**
 * Returns a function to call with the number of received bytes after every chunk. It reports a few times a second, with
 * the rate since it was created in bytes per second, and always when the last byte has arrived.
 */
export function reportProgress(
  onEvent: (event: PullEvent) => void,
  now: () => number = () => performance.now(),
): (received: number, total: number | undefined) => void {
  let first: { at: number; received: number } | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (received, total) => {
    const at = now();
    // A restarted download counts from zero again.
    if (first === undefined || received < first.received) first = { at, received };
    if (at - last < MIN_INTERVAL_MS && received !== total) return;
    last = at;
    const seconds = (at - first.at) / 1000;
    onEvent({ kind: 'progress', received, total, rate: seconds > 0 ? (received - first.received) / seconds : 0 });
  };
}
