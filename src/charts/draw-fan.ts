import type { ChartData } from './chart-data.ts';
import type { Frame } from './frame.ts';
import { PathWriter } from './path.ts';
import { addLine, forEachRun, type Plot, toPoints } from './plot.ts';
import { thinPoints } from './thin-points.ts';

/** The points of all edges of a fan together. A chart stays small even with many quantiles of many steps. */
const MAX_POINTS = 4_500;

/** The row from which a fan opens: the last row of the history, if it has a value. */
export interface Origin {
  readonly time: number;
  readonly value: number;
}

/** Returns how much of the background each band covers. Bands lie over each other, so the inner ones look darker. */
export function bandOpacity(bands: number): string {
  return String(Math.round(Math.max(70, 320 / (1 + 0.45 * (bands - 1)))) / 1000);
}

/** Draws the bands, the other quantiles and the median. */
export function drawFan(frame: Frame, plot: Plot, data: ChartData, from: Origin | null): string {
  const { paint } = frame;
  // A single step beside a long history would be a wedge of a few pixels. It is drawn as a bar with a dot.
  const isOne = data.steps.length === 1;
  const origin = isOne ? null : from;
  const maxPoints = Math.ceil(MAX_POINTS / (2 * data.bands.length + data.singles.length + 1));
  const start = origin === null ? [] : [origin.value];
  const times = origin === null ? data.steps : Float64Array.of(origin.time, ...data.steps);
  const pointsOf = (values: Float64Array) => toPoints(plot, times, [...start, ...values]);
  const bands = data.bands.map(({ low, high }) => drawBand(pointsOf(low), pointsOf(high), maxPoints));
  const singles = data.singles.map(({ values }) => addLine(new PathWriter(), pointsOf(values), undefined, maxPoints));
  const parts = [
    bands.length === 0
      ? ''
      : `<g${paint('fill', 'fan')} fill-opacity="${bandOpacity(bands.length)}">${bands.map((d) => `<path d="${d}"/>`).join('')}</g>`,
    singles.length === 0 ? '' : `<path d="${singles.join('')}" stroke-dasharray="4 3"${paint('stroke', 'fan')}/>`,
  ];
  if (data.median !== null) {
    const path = addLine(new PathWriter(), pointsOf(data.median), undefined, maxPoints);
    parts.push(
      `<path d="${path}" stroke-width="${isOne ? 7 : 2.2}" stroke-linejoin="round" stroke-linecap="round"${paint('stroke', 'median')}/>`,
    );
  }
  return parts.join('');
}

type Edge = ReturnType<typeof toPoints>;

function drawBand(low: Edge, high: Edge, maxPoints: number): string {
  const path = new PathWriter();
  const hasBoth = (i: number): boolean => Number.isFinite(low.y[i]) && Number.isFinite(high.y[i]);
  forEachRun(
    low.x.length,
    hasBoth,
    () => false,
    (from, to) => {
      if (to - from === 1) return addBar(path, low.x[from] ?? 0, low.y[from] ?? 0, high.y[from] ?? 0);
      const [first = from, ...others] = thinPoints(high, from, to, maxPoints);
      path.moveTo(high.x[first] ?? 0, high.y[first] ?? 0);
      for (const i of others) path.lineTo(high.x[i] ?? 0, high.y[i] ?? 0);
      for (const i of thinPoints(low, from, to, maxPoints).reverse()) path.lineTo(low.x[i] ?? 0, low.y[i] ?? 0);
      path.close();
    },
  );
  return path.toString();
}

/** Draws the interval of a step without neighbors as a bar, because an area needs two points. */
function addBar(path: PathWriter, x: number, low: number, high: number): void {
  path
    .moveTo(x - 5, high)
    .lineTo(x + 5, high)
    .lineTo(x + 5, low)
    .lineTo(x - 5, low)
    .close();
}
