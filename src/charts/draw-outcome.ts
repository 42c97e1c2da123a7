import type { ChartData, OutcomePoint } from './chart-data.ts';
import type { Origin } from './draw-fan.ts';
import type { Frame } from './frame.ts';
import { PathWriter } from './path.ts';
import type { Plot } from './plot.ts';

/** Markers that are closer to each other than this are small. */
const MIN_DISTANCE = 8;

/**
 * Draws the outcome: a line with a marker for each value. The markers of values that existed when the forecast was made
 * are hollow, and the line to them is dashed.
 */
export function drawOutcome(frame: Frame, plot: Plot, data: ChartData, origin: Origin | null): string {
  if (data.outcome.length === 0) return '';
  const places = data.outcome.map((point) => ({ point, x: plot.time.x(point.timestamp), y: plot.y(point.actual) }));
  const [solid, dashed] = [new PathWriter(), new PathWriter()];
  const [full, hollow] = [new PathWriter(), new PathWriter()];
  const stepOf = new Map(Array.from(data.steps, (time, step) => [time, step] as const));
  let before = origin && { x: plot.time.x(origin.time), y: plot.y(origin.value), step: -1 };
  for (const { point, x, y } of places) {
    const step = stepOf.get(point.timestamp) ?? Number.NaN;
    const line = point.replayed ? dashed : solid;
    // Between two values with a missing one, nothing is known.
    if (before !== null && step === before.step + 1) line.moveTo(before.x, before.y).lineTo(x, y);
    (point.replayed ? hollow : full).dot(x, y);
    before = { x, y, step };
  }
  const size = markerSize(places);
  const stroke = frame.paint('stroke', 'outcome');
  return [
    writePath(dashed, `${stroke} stroke-width="1.5" stroke-dasharray="3 3"`),
    writePath(solid, `${stroke} stroke-width="1.8" stroke-linecap="round"`),
    writePath(full, `${stroke} stroke-width="${size}" stroke-linecap="round"`),
    drawHollow(frame, hollow, size),
  ].join('');
}

/** Draws the dots of a path as rings. */
export function drawHollow(frame: Frame, dots: PathWriter, size: number): string {
  return [
    writePath(dots, `${frame.paint('stroke', 'outcome')} stroke-width="${size}" stroke-linecap="round"`),
    writePath(dots, `${frame.paint('stroke', 'back')} stroke-width="${size - 2.6}" stroke-linecap="round"`),
  ].join('');
}

function writePath(path: PathWriter, attributes: string): string {
  const d = path.toString();
  return d === '' ? '' : `<path d="${d}"${attributes}/>`;
}

function markerSize(places: readonly { readonly x: number; readonly point: OutcomePoint }[]): number {
  const [first, last] = [places[0], places.at(-1)];
  const distance = ((last?.x ?? 0) - (first?.x ?? 0)) / Math.max(1, places.length - 1);
  if (places.length === 1 || distance >= MIN_DISTANCE) return 7;
  return distance >= MIN_DISTANCE / 2 ? 5 : 4;
}
