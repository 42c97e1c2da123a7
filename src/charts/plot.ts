import { drawCenteredText, drawText, type Frame } from './frame.ts';
import { PathWriter, px } from './path.ts';
import { type Points, thinPoints } from './thin-points.ts';
import { timeTicks } from './time-axis.ts';
import type { TimeScale } from './time-scale.ts';
import type { ValueAxis } from './value-axis.ts';

/** A rectangle of a chart with its two scales. */
export interface Plot {
  readonly top: number;
  readonly bottom: number;
  readonly time: TimeScale;
  readonly y: (value: number) => number;
}

export function createPlot(time: TimeScale, axis: ValueAxis, top: number, bottom: number): Plot {
  const span = axis.high - axis.low;
  return { time, top, bottom, y: (value) => bottom - ((bottom - top) * (value - axis.low)) / span };
}

/** Draws the lines and labels of both axes. */
export function drawAxes(frame: Frame, plot: Plot, axis: ValueAxis): string {
  const { paint } = frame;
  const { left, right } = plot.time;
  const grid = new PathWriter();
  const marks = new PathWriter().moveTo(left, plot.bottom).lineTo(right, plot.bottom);
  const labels: string[] = [];
  for (const { value, label } of axis.ticks) {
    const y = plot.y(value);
    grid.moveTo(left, crisp(y)).lineTo(right, crisp(y));
    labels.push(drawText(paint, left - 8, y + 4, label, 'end'));
  }
  for (const { x, label, context } of timeTicks(plot.time)) {
    marks.moveTo(crisp(x), plot.bottom).lineTo(crisp(x), plot.bottom + 5);
    labels.push(drawCenteredText(frame, x, plot.bottom + 18, label));
    if (context !== '') labels.push(drawCenteredText(frame, x, plot.bottom + 33, context));
  }
  return `<path d="${grid}"${paint('stroke', 'grid')}/><path d="${marks}"${paint('stroke', 'axis')}/>${labels.join('')}`;
}

/** Moves a coordinate to the middle of a pixel, so that a thin line is not blurred. */
export function crisp(coordinate: number): number {
  return Math.floor(coordinate) + 0.5;
}

/** Returns the rows of a column in pixels. */
export function toPoints(plot: Plot, times: ArrayLike<number>, values: ArrayLike<number>): Points {
  // A loop is several times as fast as Float64Array.from, which iterates.
  const [x, y] = [new Float64Array(times.length), new Float64Array(times.length)];
  for (let i = 0; i < x.length; i++) {
    x[i] = plot.time.x(times[i] ?? Number.NaN);
    y[i] = plot.y(values[i] ?? Number.NaN);
  }
  return { x, y };
}

/** Adds a line to a path. It is interrupted where values are missing; a value between two gaps is a dot. */
export function addLine(
  path: PathWriter,
  points: Points,
  isBroken: (i: number) => boolean = () => false,
  maxPoints?: number,
): PathWriter {
  const { x, y } = points;
  forEachRun(
    x.length,
    (i) => Number.isFinite(y[i]),
    isBroken,
    (from, to) => {
      const at = (i: number): [number, number] => [x[i] ?? 0, y[i] ?? 0];
      if (to - from === 1) return void path.dot(...at(from));
      const [first = from, ...others] = thinPoints(points, from, to, maxPoints);
      path.moveTo(...at(first));
      for (const i of others) path.lineTo(...at(i));
    },
  );
  return path;
}

/** Calls `visit` with each run [from, to) of rows that have values and no break between them. */
export function forEachRun(
  length: number,
  hasValue: (i: number) => boolean,
  isBroken: (i: number) => boolean,
  visit: (from: number, to: number) => void,
): void {
  let from = -1;
  for (let i = 0; i <= length; i++) {
    const isIn = i < length && hasValue(i);
    if (from >= 0 && (!isIn || isBroken(i))) {
      visit(from, i);
      from = -1;
    }
    if (isIn && from < 0) from = i;
  }
}

/** Draws a rectangle between two times. */
export function drawShade(frame: Frame, plot: Plot, from: number, to: number): string {
  const width = Math.max(1, to - from);
  return `<rect x="${px(from)}" y="${px(plot.top)}" width="${px(width)}" height="${px(plot.bottom - plot.top)}"${frame.paint('fill', 'shade')}/>`;
}
