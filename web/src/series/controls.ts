import type { LiveChart, Span } from './page.ts';

const ZOOM = 1.6;
const MIN_ROWS = 5;

/** The positions that a chart can show. */
interface Bounds {
  readonly first: number;
  readonly last: number;
}

/** Returns a span that is smaller or larger by a factor, around its middle or a place in it, within the bounds. */
export function zoomed({ from, to }: Span, factor: number, bounds: Bounds, at = (from + to) / 2): Span {
  const share = to > from ? (at - from) / (to - from) : 0.5;
  const length = Math.max(Math.min(MIN_ROWS, bounds.last), (to - from) * factor);
  return within({ from: at - share * length, to: at + (1 - share) * length }, bounds);
}

function within({ from, to }: Span, { first, last }: Bounds): Span {
  const length = Math.min(last - first, to - from);
  const start = Math.max(first, Math.min(last - length, from));
  return { from: start, to: start + length };
}

/** Returns a span that is moved by a share of its length, within the bounds. */
export function moved({ from, to }: Span, share: number, bounds: Bounds): Span {
  const by = (to - from) * share;
  return within({ from: from + by, to: to + by }, bounds);
}

/**
 * Adds buttons that zoom and move the chart, for readers that do not drag, and the keys + and -.
 *
 * @param bounds returns the positions that the chart can show, and that of the cursor, around which it zooms
 */
export function addControls(
  tools: Element,
  place: HTMLElement,
  chart: LiveChart,
  bounds: () => Bounds & { readonly at: number | null },
): void {
  const zoom = (factor: number) => {
    const [span, { at, ...around }] = [chart.span(), bounds()];
    const isShown = at !== null && at >= span.from && at <= span.to;
    chart.setSpan(zoomed(span, factor, around, isShown ? at : undefined));
  };
  const move = (share: number) => chart.setSpan(moved(chart.span(), share, bounds()));
  const group = document.createElement('div');
  group.className = 'segments';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'View');
  for (const [label, act] of [
    ['Earlier', () => move(-0.5)],
    ['Later', () => move(0.5)],
    ['Zoom out', () => zoom(ZOOM)],
    ['Zoom in', () => zoom(1 / ZOOM)],
  ] as const) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', act);
    group.append(button);
  }
  tools.append(group);
  place.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoom(1 / ZOOM);
    else if (event.key === '-') zoom(ZOOM);
    else return;
    event.preventDefault();
  });
}

/** Makes the wheel zoom a chart whose library does not. A chart that shows everything lets the page scroll. */
export function addWheel(place: HTMLElement, chart: LiveChart, bounds: () => Bounds): void {
  place.addEventListener(
    'wheel',
    (event) => {
      const span = chart.span();
      const isAll = span.from <= 0 && span.to >= bounds().last;
      if (event.ctrlKey || (isAll && event.deltaY > 0)) return;
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        chart.setSpan(moved(span, event.deltaX / place.clientWidth, bounds()));
        return;
      }
      const { left, width } = place.getBoundingClientRect();
      const at = span.from + ((event.clientX - left) / width) * (span.to - span.from);
      chart.setSpan(zoomed(span, Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 300), bounds(), at));
    },
    { passive: false },
  );
}

/** Waits until no button of the mouse is held on a chart. */
export function pointerRelease(place: HTMLElement): Promise<void> {
  if (!place.matches(':active')) return Promise.resolve();
  return new Promise((done) => {
    const events = ['pointerup', 'pointercancel'] as const;
    const release = () => {
      for (const name of events) window.removeEventListener(name, release, true);
      done();
    };
    for (const name of events) window.addEventListener(name, release, true);
  });
}
