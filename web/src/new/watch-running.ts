import { fetchPage } from '../forecasts/fetch-page.ts';
import { MAX_STREAMS, POLL_MS, type Progress, watchForecast } from '../watch-forecast.ts';

/** Opens the page again when a forecast on it has ended. Until then, the page shows its progress. */
export function watchRunning(root: ParentNode): void {
  const notes = [...root.querySelectorAll<HTMLElement>('[data-running]')];
  const polled = new Set(notes.slice(MAX_STREAMS));
  for (const note of notes.slice(0, MAX_STREAMS)) {
    const text = note.querySelector('p');
    watchForecast(note.dataset.running ?? '', {
      onProgress: (progress) => {
        if (text && progress !== null) text.textContent = describeRunning(progress);
      },
      onEnd: () => location.reload(),
      onUnavailable: () => polled.add(note),
    });
  }
  if (notes.length > 0) pollNotes(polled);
}

/** Reads the page again and again for forecasts without events. It is loaded only when one of them has ended. */
function pollNotes(notes: ReadonlySet<HTMLElement>): void {
  const read = async (): Promise<void> => {
    try {
      if (notes.size > 0 && exchangeNotes(notes, await fetchPage(location.href))) return location.reload();
    } catch {
      // The connection is interrupted. The next poll reads the page again.
    }
    setTimeout(read, POLL_MS);
  };
  setTimeout(read, POLL_MS);
}

/** Shows the progress that a page states. Returns whether a forecast has ended. */
function exchangeNotes(notes: ReadonlySet<HTMLElement>, page: Document): boolean {
  let hasEnded = false;
  for (const note of notes) {
    // A page that states an error has no replays.
    if (page.getElementById(note.closest('section')?.id ?? '') === null) continue;
    const id = CSS.escape(note.dataset.running ?? '');
    const next = page.querySelector(`[data-running="${id}"] p`)?.textContent;
    const text = note.querySelector('p');
    if (next === undefined) hasEnded = true;
    else if (text && text.textContent !== next) text.textContent = next;
  }
  return hasEnded;
}

function describeRunning({ completed_models: done, total_models: all }: Progress): string {
  const models = all === 1 ? 'model is' : 'models are';
  return `This replay is running. ${done} of ${all} ${models} done. It appears here when it is complete.`;
}
