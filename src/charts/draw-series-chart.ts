import { rangeOf } from './chart-data.ts';
import { describeSeriesChart } from './describe-series-chart.ts';
import { drawCandles } from './draw-candles.ts';
import { type ChartOptions, createFrame, drawText, FONT_SIZE, type Frame, PADDING, writeDocument } from './frame.ts';
import { createLogAxis } from './log-axis.ts';
import { log10 } from './logarithm.ts';
import { PathWriter } from './path.ts';
import { addLine, createPlot, drawAxes, type Plot, toPoints } from './plot.ts';
import { seriesFormat } from './series-format.ts';
import { cleanLine, cutToWidth, estimateWidth } from './text.ts';
import { createTimeScale } from './time-scale.ts';
import { createValueAxis, MAX_VALUE } from './value-axis.ts';

/** What a chart of a series shows. Timestamps are in milliseconds since 1970 and ascend. A value of NaN is missing. */
export interface SeriesChart {
  readonly title: string;
  readonly units?: string | undefined;
  readonly timestamps: ArrayLike<number>;
  /** The line; of bars, their closes. */
  readonly values: ArrayLike<number>;
  /** The other prices of bars. A chart with room for them shows candles. */
  readonly bars?: SeriesBars | undefined;
  /** Whether equal ratios have equal distances. Values of zero and below have no place on such a scale. */
  readonly log?: boolean | undefined;
}

export interface SeriesBars {
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
}

/** Below this width in pixels, the body of a candle cannot be told from its wick. */
const MIN_CANDLE = 5;
const AXIS_HEIGHT = 40;
const MAX_UNITS = 60;

/**
 * Draws a series as an SVG document: a line, or candles if there are few bars. The document has no script, no style
 * attribute and no reference to anything outside.
 */
export function drawSeriesChart(chart: SeriesChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, options);
  const units = cleanLine(chart.units ?? '', MAX_UNITS);
  const scale = chart.log ? log10 : (value: number) => value;
  const read = (values: ArrayLike<number> = []): Float64Array => readColumn(values, chart.log ?? false);
  const values = read(chart.values);
  const description = describeSeriesChart(chart);
  const width = frame.width - 90;
  const hasCandles = chart.bars !== undefined && chart.timestamps.length * MIN_CANDLE <= width;
  const range = rangeOf(hasCandles ? [read(chart.bars?.low), read(chart.bars?.high)] : [values]);
  if (!(range.high >= range.low)) {
    const text = chart.log ? 'No values above zero' : 'No values';
    return writeDocument(frame, options, description, [
      drawText(frame.paint, frame.width / 2, frame.height / 2, text, 'middle'),
    ]);
  }
  const top = frame.top + 28;
  const bottom = frame.height - AXIS_HEIGHT - (frame.isStandalone ? 4 : 0);
  const axis = (chart.log ? createLogAxis : createValueAxis)(range.low, range.high, (bottom - top) / 42);
  const widthOf = (text: string): number => estimateWidth(text, FONT_SIZE);
  const edge = frame.isStandalone ? PADDING : 2;
  const last = lastValue(values);
  const lastLabel = last === null ? '' : seriesFormat(chart.values)(last);
  const left = Math.max(34, Math.max(...axis.ticks.map(({ label }) => widthOf(label)), 0) + 8 + edge);
  const right = frame.width - Math.max(18, widthOf(lastLabel) + 14);
  const inset = hasCandles ? (right - left) / chart.timestamps.length / 2 : 0;
  const plot = createPlot(createTimeScale(chart.timestamps, left + inset, right - inset), axis, top, bottom);
  const scaled: Plot = { ...plot, y: (value) => plot.y(scale(value)) };
  return writeDocument(frame, options, description, [
    drawAxes(frame, { ...plot, time: { ...plot.time, x: plot.time.x, left, right } }, axis),
    drawText(frame.paint, edge, top - 10, cutToWidth(units, frame.width / 2, FONT_SIZE), 'start'),
    hasCandles && chart.bars
      ? drawCandles(frame, scaled, chart.timestamps, { ...chart.bars, close: chart.values })
      : drawLine(frame, scaled, chart.timestamps, values),
    last === null ? '' : drawText(frame.paint, right + 6, scaled.y(last) + 4, lastLabel, 'start', 'median'),
  ]);
}

/** Reads a column. What has no place on the scale is missing. */
function readColumn(values: ArrayLike<number>, isLog: boolean): Float64Array {
  const read = new Float64Array(values.length);
  for (let i = 0; i < read.length; i++) {
    const value = values[i] ?? Number.NaN;
    const isShown = Number.isFinite(value) && (!isLog || value > 0);
    read[i] = isShown ? Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value)) : Number.NaN;
  }
  return read;
}

function lastValue(values: Float64Array): number | null {
  const last = values.findLastIndex(Number.isFinite);
  return last < 0 ? null : (values[last] ?? null);
}

function drawLine(frame: Frame, plot: Plot, times: ArrayLike<number>, values: Float64Array): string {
  const isBroken = (i: number): boolean => plot.time.isGap(times[i - 1] ?? 0, times[i] ?? 0);
  const path = addLine(new PathWriter(), toPoints(plot, times, values), isBroken);
  const ends = 'stroke-linejoin="round" stroke-linecap="round"';
  return `<path d="${path}" stroke-width="${times.length === 1 ? 7 : 1.6}" ${ends}${frame.paint('stroke', 'median')}/>`;
}
