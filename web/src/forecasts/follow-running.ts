import { showLocalTimes } from '../local-time.ts';
import { announce, fetchPage } from './fetch-page.ts';

/** Browsers open six connections to a server; more streams would block everything else. */
const MAX_STREAMS = 3;
/** Several events of one moment cause one request. */
const GATHER_MS = 300;
/** How often rows without a stream are read again. */
const POLL_MS = 10_000;

const KINDS = ['queued', 'progress', 'completed', 'failed'];

/** Follows the running forecasts of a list. */
export interface Follower {
  /** Follows the rows that the list has now. */
  restart(): void;
}

/** Keeps the rows of queued and running forecasts up to date, as long as there are any. */
export function followRunning(results: HTMLElement): Follower {
  const streams = new Map<string, EventSource>();
  let pending: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const refresh = async (): Promise<void> => {
    pending = undefined;
    try {
      exchangeRows(results, await fetchPage(location.href));
    } catch {
      // The connection is interrupted. The next event or poll reads the rows again.
    }
    restart();
  };
  const gather = () => {
    if (pending === undefined) pending = setTimeout(refresh, GATHER_MS);
  };
  const restart = (): void => {
    const running = [...results.querySelectorAll<HTMLElement>('[data-live]')].map((row) => row.dataset.forecast ?? '');
    for (const [id, stream] of streams) {
      if (running.includes(id)) continue;
      stream.close();
      streams.delete(id);
    }
    for (const id of running) {
      if (streams.size >= MAX_STREAMS || streams.has(id)) continue;
      streams.set(id, openStream(id, gather));
    }
    clearInterval(poll);
    poll = running.length > streams.size ? setInterval(gather, POLL_MS) : undefined;
  };
  restart();
  return { restart };
}

function openStream(id: string, onEvent: () => void): EventSource {
  const stream = new EventSource(`/api/v1/ensemble-forecasts/${encodeURIComponent(id)}/events`);
  for (const kind of KINDS) stream.addEventListener(kind, onEvent);
  return stream;
}

/** Exchanges the content of rows that have changed. Rows stay where they are, so that nothing jumps while it is read. */
function exchangeRows(results: HTMLElement, page: Document): void {
  const ended: string[] = [];
  for (const row of results.querySelectorAll<HTMLElement>('[data-live]')) {
    const next = page.querySelector<HTMLElement>(`[data-forecast="${CSS.escape(row.dataset.forecast ?? '')}"]`);
    if (next === null || next.outerHTML === row.dataset.shown) continue;
    const shown = next.outerHTML;
    const isFocused = row.contains(document.activeElement);
    row.replaceChildren(...next.childNodes);
    row.dataset.shown = shown;
    row.dataset.status = next.dataset.status ?? '';
    if (next.dataset.live === undefined) {
      delete row.dataset.live;
      ended.push(`${row.dataset.name}: ${row.querySelector('.tag')?.textContent}.`);
    }
    if (isFocused) row.querySelector('a')?.focus({ preventScroll: true });
    showLocalTimes(row);
  }
  if (ended.length > 0) announce(ended.join(' '));
}
