// Keeps the state of the service up to date. The server renders it; this script only exchanges it.

import { announce, fetchPage } from './forecasts/fetch-page.ts';
import { showLocalTimes } from './local-time.ts';

const INTERVAL_MS = 10_000;

const service = document.getElementById('service');
const bar = document.getElementById('live');
const pause = document.getElementById('pause');
if (service !== null && bar !== null && pause !== null) keepCurrent(service, bar, pause);

function keepCurrent(service: HTMLElement, bar: HTMLElement, pause: HTMLElement): void {
  let isPaused = false;
  bar.hidden = false;
  pause.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
    pause.textContent = isPaused ? 'Continue updates' : 'Pause updates';
    show(isPaused ? 'Updates are paused.' : 'Updates every 10 seconds.');
    if (!isPaused) void refresh();
  });
  const refresh = async (): Promise<void> => {
    // A reader that uses a part of the state, or another tab, must not lose its place.
    if (isPaused || document.hidden || isUsed(service)) return;
    try {
      const next = (await fetchPage(location.pathname)).getElementById('service');
      if (next === null) {
        show('The service did not answer with its state. Reload the page.');
        return;
      }
      if (isPaused || isUsed(service)) return;
      const before = summaryOf(service);
      service.replaceChildren(...next.childNodes);
      showLocalTimes(service);
      show('Updates every 10 seconds.');
      const summary = summaryOf(service);
      // Only a change is worth an interruption.
      if (summary !== before) announce(summary);
    } catch {
      show('No connection. What is shown is older; it is read again in 10 seconds.');
    }
  };
  setInterval(refresh, INTERVAL_MS);
}

function summaryOf(service: HTMLElement): string {
  return service.querySelector('#summary')?.textContent ?? '';
}

/** Returns whether the focus or an open explanation is within the state. */
function isUsed(service: HTMLElement): boolean {
  return service.contains(document.activeElement) || service.querySelector(':popover-open') !== null;
}

function show(text: string): void {
  const state = document.getElementById('live-state');
  if (state !== null) state.textContent = text;
}
