import type { Database } from '../../platform/index.ts';
import { type ForecastEvent, isLastKind } from './read-events.ts';
import { sharedPollsOn } from './shared-polls.ts';

const POLL_MS = 250;

/**
 * The events of a forecast after the one numbered `after`, as they happen, whichever process makes them happen. Ends
 * with the last event, when the signal aborts and when the forecast is gone.
 *
 * An `after` that the forecast has not reached counts as its latest event.
 */
export async function* watchEvents(
  { database }: { readonly database: Database },
  forecastId: string,
  after: number,
  signal: AbortSignal,
  { pollMs = POLL_MS }: { readonly pollMs?: number } = {},
): AsyncGenerator<ForecastEvent, void, undefined> {
  const polls = sharedPollsOn(database);
  let known = after;
  let delayMs = 0;
  for (;;) {
    const news = await polls.next(forecastId, known, delayMs, signal);
    if (!news || news.ended) return;
    known = news.known;
    for (const event of news.events) {
      yield event;
      if (signal.aborted || isLastKind(event.kind)) return;
      known = event.id;
    }
    delayMs = news.more ? 0 : pollMs;
  }
}
