import type { Database } from '../../platform/index.ts';
import { type ForecastEvent, isLastKind } from './read-events.ts';
import { sharedReadsFor } from './shared-reads.ts';

const POLL_INTERVAL_MS = 250;

/**
 * Yields the events of a forecast after the one numbered `after`, as they happen in any process. Ends after the last
 * event, when the signal aborts, or when the forecast was removed.
 *
 * An `after` beyond the latest event counts as the latest event.
 */
export async function* watchEvents(
  { database }: { readonly database: Database },
  forecastId: string,
  after: number,
  signal: AbortSignal,
  { pollMs = POLL_INTERVAL_MS }: { readonly pollMs?: number } = {},
): AsyncGenerator<ForecastEvent, void, undefined> {
  const reads = sharedReadsFor(database, pollMs);
  let lastRead = after;
  // The first read, and the next one of many events, do not wait for the interval.
  let isDue = true;
  for (;;) {
    const batch = await reads.next(forecastId, lastRead, isDue, signal);
    if (!batch || batch.isEnded) return;
    lastRead = batch.lastRead;
    for (const event of batch.events) {
      yield event;
      if (signal.aborted || isLastKind(event.kind)) return;
      lastRead = event.id;
    }
    isDue = batch.hasMore;
  }
}
