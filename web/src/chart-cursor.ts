interface CursorOptions {
  /** Number of points that the cursor can be on. */
  readonly count: () => number;
  /** Called when the cursor moves; null: it left the chart. */
  readonly onMove: (index: number | null) => void;
  /** Returns what is announced for a point: its time and its values. */
  readonly describe: (index: number) => string;
}

/** A cursor that the keyboard moves over the points of a chart. */
export interface ChartCursor {
  /** Moves the cursor. It announces nothing. */
  show(index: number | null): void;
  /** Puts the cursor on the point under the mouse, which the chart already shows. The arrow keys continue from there. */
  hover(index: number | null): void;
  /** Keeps the cursor on its point after others were added before it. */
  shift(added: number): void;
  readonly index: number | null;
}

const PAGE = 20;

/**
 * Lets the keyboard move a cursor over a chart. The arrow keys move it by one point, Page Up and Page Down by twenty, Home
 * and End to the ends; Escape removes it. A live region announces the values.
 *
 * @param chart gets the focus, and a name for screen readers from the page
 */
export function addCursor(chart: HTMLElement, { count, onMove, describe }: CursorOptions): ChartCursor {
  const live = document.createElement('p');
  live.className = 'away';
  live.setAttribute('aria-live', 'polite');
  chart.after(live);
  chart.tabIndex = 0;
  let at: number | null = null;
  // The libraries also report a cursor that the keys moved or that a redrawn chart moved, which is not the mouse.
  let isPointing = false;
  const show = (index: number | null) => {
    at = index;
    onMove(at);
  };
  const announce = (index: number) => {
    show(index);
    live.textContent = describe(index);
  };
  chart.addEventListener(
    'pointermove',
    () => {
      isPointing = true;
    },
    { capture: true, passive: true },
  );
  chart.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = count() - 1;
    if (last < 0) return;
    if (event.key === 'Escape') {
      show(null);
      live.textContent = '';
      return;
    }
    const next = target(event.key, at, last);
    if (next === null) return;
    event.preventDefault();
    isPointing = false;
    announce(Math.max(0, Math.min(last, next)));
  });
  return {
    show,
    hover(index) {
      if (isPointing) at = index === null ? null : Math.max(0, Math.min(count() - 1, Math.round(index)));
    },
    shift(added) {
      if (at === null) return;
      at += added;
      if (!isPointing) onMove(at);
    },
    get index() {
      return at;
    },
  };
}

function target(key: string, at: number | null, last: number): number | null {
  const from = at ?? last;
  if (key === 'ArrowRight') return at === null ? last : from + 1;
  if (key === 'ArrowLeft') return at === null ? last : from - 1;
  if (key === 'PageDown') return from + PAGE;
  if (key === 'PageUp') return from - PAGE;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}
