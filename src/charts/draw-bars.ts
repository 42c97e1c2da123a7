import { type ChartOptions, createFrame, drawText, FONT_SIZE, PADDING, writeDocument } from './frame.ts';
import { PathWriter } from './path.ts';
import { createPlot, drawAxes } from './plot.ts';
import { cleanLine, estimateWidth } from './text.ts';
import { createTimeScale } from './time-scale.ts';
import { createValueAxis, MAX_VALUE } from './value-axis.ts';

/** Amounts by day or month. Timestamps are in milliseconds since 1970 and ascend. A value of NaN is missing. */
export interface BarChart {
  readonly title: string;
  readonly units: string;
  readonly timestamps: readonly number[];
  /** None is negative. */
  readonly values: readonly number[];
  /** What the chart shows, as a sentence. */
  readonly description: string;
  /** Whether values are counts, so that the axis has no fractions. */
  readonly isWhole?: boolean;
}

const AXIS_HEIGHT = 40;
const MAX_UNITS = 60;
/** The share of the distance of two bars that a bar takes. */
const BAR_SHARE = 0.72;
const MAX_BAR = 36;

/** Draws amounts as bars that begin at zero. */
export function drawBars(chart: BarChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, options);
  const { paint } = frame;
  const values = chart.values.map((value) => (Number.isFinite(value) ? Math.max(0, Math.min(MAX_VALUE, value)) : null));
  const known = values.filter((value) => value !== null);
  if (known.length === 0) {
    const empty = drawText(paint, frame.width / 2, frame.height / 2, 'No values', 'middle');
    return writeDocument(frame, options, chart.description, [empty]);
  }
  const [top, bottom] = [frame.top + 28, frame.height - AXIS_HEIGHT - (frame.isStandalone ? 4 : 0)];
  // Amounts are often whole numbers, and without any the axis still has a first step.
  const most = Math.max(1, ...known);
  const room = (bottom - top) / 42;
  const axis = createValueAxis(0, most, room, chart.isWhole ? 1 : 0);
  const edge = frame.isStandalone ? PADDING : 2;
  const widest = Math.max(...axis.ticks.map(({ label }) => estimateWidth(label, FONT_SIZE)));
  const [left, right] = [Math.max(34, widest + 8 + edge), frame.width - 10];
  const step = (right - left) / chart.timestamps.length;
  const plot = createPlot(createTimeScale(chart.timestamps, left + step / 2, right - step / 2), axis, top, bottom);
  const half = Math.max(0.5, Math.min(MAX_BAR, step * BAR_SHARE) / 2);
  const bars = new PathWriter();
  for (const [i, value] of values.entries()) {
    if (value === null || value === 0) continue;
    const [x, y] = [plot.time.x(chart.timestamps[i] ?? 0), plot.y(value)];
    bars
      .moveTo(x - half, bottom)
      .lineTo(x - half, y)
      .lineTo(x + half, y)
      .lineTo(x + half, bottom)
      .close();
  }
  return writeDocument(frame, options, chart.description, [
    drawAxes(frame, { ...plot, time: { ...plot.time, x: plot.time.x, left, right } }, axis),
    drawText(paint, edge, top - 10, cleanLine(chart.units, MAX_UNITS), 'start'),
    `<path d="${bars}"${paint('fill', 'fan')}/>`,
  ]);
}
