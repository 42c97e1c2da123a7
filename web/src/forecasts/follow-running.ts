import { showLocalTimes } from '../local-time.ts';
import { MAX_STREAMS, type WatchedForecast, watchForecast } from '../watch-forecast.ts';
import { announce, fetchPage } from './fetch-page.ts';

/** Several events of one moment cause one request. */
const GATHER_MS = 300;
/** How often rows without a stream are read again. */
const POLL_MS = 10_000;

/** Follows the running forecasts of a list. */
export interface Follower {
  /** Follows the rows that the list has now. */
  restart(): void;
}

/** Keeps the rows of queued and running forecasts up to date, as long as there are any. */
export function followRunning(results: HTMLElement): Follower {
  const streams = new Map<string, WatchedForecast>();
  /** Whether the forecasts whose stream is over have completed; null if the stream was refused. */
  const over = new Map<string, boolean | null>();
  let pending: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const refresh = async (): Promise<void> => {
    pending = undefined;
    try {
      const page = await fetchPage(location.href);
      // A page that states an error has no list.
      if (page.getElementById('results') !== null) exchangeRows(results, page, over);
    } catch {
      // The connection is interrupted. The next event or poll reads the rows again.
    }
    restart();
  };
  const gather = () => {
    if (pending === undefined) pending = setTimeout(refresh, GATHER_MS);
  };
  /** Reads a row without a stream by polling from now on. */
  const leave = (id: string, isCompleted: boolean | null) => {
    streams.delete(id);
    over.set(id, isCompleted);
    restart();
  };
  const restart = (): void => {
    const running = [...results.querySelectorAll<HTMLElement>('[data-live]')].map((row) => row.dataset.forecast ?? '');
    for (const [id, stream] of streams) {
      if (running.includes(id)) continue;
      stream.close();
      streams.delete(id);
    }
    for (const id of running) {
      if (streams.size >= MAX_STREAMS || streams.has(id) || over.has(id)) continue;
      const stream = watchForecast(id, {
        onProgress: gather,
        onEnd: (isCompleted) => {
          leave(id, isCompleted);
          gather();
        },
        onUnavailable: () => leave(id, null),
      });
      streams.set(id, stream);
    }
    const isPolled = running.length > streams.size;
    if (!isPolled) {
      clearInterval(poll);
      poll = undefined;
    } else poll ??= setInterval(gather, POLL_MS);
  };
  restart();
  return { restart };
}

/**
 * Exchanges the content of rows that have changed. Rows stay where they are, so that nothing jumps while it is read.
 *
 * @param over the forecasts whose stream is over, and whether they have completed
 */
function exchangeRows(results: HTMLElement, page: Document, over: ReadonlyMap<string, boolean | null>): void {
  const ended: string[] = [];
  for (const row of results.querySelectorAll<HTMLElement>('[data-live]')) {
    const id = row.dataset.forecast ?? '';
    const next = page.querySelector<HTMLElement>(`[data-forecast="${CSS.escape(id)}"]`);
    if (next === null) {
      // The list no longer has a forecast that ended if it shows only running ones.
      const isCompleted = over.get(id);
      if (isCompleted === undefined) continue;
      delete row.dataset.live;
      // Nothing is known of a forecast that has no stream and is no longer in the list.
      if (isCompleted === null) continue;
      showEnd(row, isCompleted);
    } else {
      if (next.outerHTML === row.dataset.shown) continue;
      const shown = next.outerHTML;
      const isFocused = row.contains(document.activeElement);
      row.replaceChildren(...next.childNodes);
      row.dataset.shown = shown;
      row.dataset.status = next.dataset.status ?? '';
      if (next.dataset.live === undefined) delete row.dataset.live;
      if (isFocused) row.querySelector('a')?.focus({ preventScroll: true });
      showLocalTimes(row);
    }
    if (row.dataset.live === undefined) ended.push(`${row.dataset.name}: ${row.querySelector('.tag')?.textContent}.`);
  }
  if (ended.length > 0) announce(ended.join(' '));
}

/** Shows that a forecast has ended, in a row that the list no longer has. */
function showEnd(row: HTMLElement, isCompleted: boolean): void {
  row.dataset.status = isCompleted ? 'completed' : 'failed';
  const tag = document.createElement('span');
  tag.className = isCompleted ? 'tag good' : 'tag';
  // A canceled forecast sends the same event as one that failed.
  tag.textContent = isCompleted ? 'Completed' : 'Did not complete';
  const line = document.createElement('p');
  line.append(tag);
  row.querySelector('.forecast-state')?.replaceChildren(line);
}
