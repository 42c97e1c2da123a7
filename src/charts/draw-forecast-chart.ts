import { type ChartData, type ForecastChart, rangeOf, readChartData } from './chart-data.ts';
import { describeForecast } from './describe-chart.ts';
import { drawFan, type Origin } from './draw-fan.ts';
import { type ChartMark, drawMark } from './draw-mark.ts';
import { drawOutcome } from './draw-outcome.ts';
import { drawOverview, OVERVIEW_HEIGHT } from './draw-overview.ts';
import { forecastLegend } from './forecast-legend.ts';
import { axisFormat } from './format-number.ts';
import {
  type ChartOptions,
  createFrame,
  drawLegend,
  drawText,
  FONT_SIZE,
  type Frame,
  PADDING,
  writeDocument,
} from './frame.ts';
import { PathWriter } from './path.ts';
import { addLine, createPlot, crisp, drawAxes, drawShade, type Plot, toPoints } from './plot.ts';
import { columnsOf, mergeTimes, selectShownRows } from './shown-rows.ts';
import { cleanLine, cutToWidth, estimateWidth } from './text.ts';
import { hasTimesOfDay } from './time-axis.ts';
import { createTimeScale } from './time-scale.ts';
import { createValueAxis, type ValueAxis } from './value-axis.ts';

/** Below this height, there is no room for the overview. */
const MIN_HEIGHT_WITH_OVERVIEW = 280;
const AXIS_HEIGHT = 40;
const MAX_UNITS = 60;

/**
 * Draws the chart of a forecast as an SVG document: the history, nested bands for the central intervals, the median, and
 * the outcome as far as it is known. If the history is much longer than the forecast, a small overview below shows all
 * of it. The document has no script, no style attribute and no reference to anything outside.
 *
 * @example drawForecastChart(chart, { width: 360, standalone: false })
 */
export function drawForecastChart(chart: ForecastChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, options);
  const units = cleanLine(chart.units ?? '', MAX_UNITS);
  const data = readChartData(chart);
  const { first, shown } = selectShownRows(data);
  const times = mergeTimes(shown);
  const description = describeForecast(data, units, hasTimesOfDay(times), shown.times.length);
  const range = rangeOf(columnsOf(shown));
  if (!(range.high >= range.low)) {
    const empty = drawText(frame.paint, frame.width / 2, frame.height / 2, 'No values', 'middle');
    return writeDocument(frame, options, description, [empty]);
  }
  const legend = drawLegend(frame, forecastLegend(frame, data));
  const hasOverview = first > 0 && frame.height >= MIN_HEIGHT_WITH_OVERVIEW;
  const top = legend.bottom + 24;
  const bottom = frame.height - AXIS_HEIGHT - (hasOverview ? OVERVIEW_HEIGHT : frame.isStandalone ? 4 : 0);
  const marked = includeMark(range, chart.mark);
  const axis = createValueAxis(marked.low, marked.high, (bottom - top) / 42);
  const labels = endLabels(data, axis);
  const widthOf = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => estimateWidth(text, FONT_SIZE)));
  const left = Math.max(34, widthOf(axis.ticks.map(({ label }) => label)) + 8 + (frame.isStandalone ? PADDING : 2));
  const right = frame.width - Math.max(18, widthOf(['', ...labels.map(({ text }) => text)]) + 14);
  const plot = createPlot(createTimeScale(times, left, right), axis, top, bottom);
  const origin = originOf(shown);
  const unitsAt = frame.isStandalone ? PADDING : 2;
  const shownUnits = cutToWidth(units, frame.width / 2, FONT_SIZE);
  const unitsEnd = unitsAt + estimateWidth(shownUnits, FONT_SIZE);
  const overview = { left, right, bottom: frame.height - (frame.isStandalone ? 10 : 4) };
  return writeDocument(frame, options, description, [
    legend.svg,
    drawForecastArea(frame, plot, shown, unitsEnd),
    drawAxes(frame, plot, axis),
    drawText(frame.paint, unitsAt, top - 10, shownUnits, 'start'),
    drawFan(frame, plot, shown, origin),
    drawHistory(frame, plot, shown),
    drawOutcome(frame, plot, shown, origin),
    drawEndLabels(frame, plot, labels),
    chart.mark === undefined ? '' : drawMark(frame, plot, axis, chart.mark),
    hasOverview ? drawOverview(frame, data, first, overview) : '',
  ]);
}

/** Extends a range to a marked value, unless that is so far away that the fan would become a line. */
function includeMark({ low, high }: ReturnType<typeof rangeOf>, mark: ChartMark | undefined) {
  const room = high - low || Math.abs(high) || 1;
  const value = mark?.value ?? low;
  return { low: Math.max(Math.min(low, value), low - room), high: Math.min(Math.max(high, value), high + room) };
}

function originOf({ times, values, steps }: ChartData): Origin | null {
  const [time, value, first] = [times.at(-1), values.at(-1), steps[0]];
  if (time === undefined || value === undefined || first === undefined) return null;
  return Number.isFinite(value) && time < first ? { time, value } : null;
}

function drawHistory(frame: Frame, plot: Plot, { times, values }: ChartData): string {
  const isBroken = (i: number): boolean => plot.time.isGap(times[i - 1] ?? 0, times[i] ?? 0);
  const path = addLine(new PathWriter(), toPoints(plot, times, values), isBroken);
  const ends = 'stroke-linejoin="round" stroke-linecap="round"';
  return `<path d="${path}" stroke-width="${times.length === 1 ? 7 : 1.6}" ${ends}${frame.paint('stroke', 'history')}/>`;
}

/** Draws a shade behind the steps of the forecast, and a line at its origin. */
function drawForecastArea(frame: Frame, plot: Plot, { times, steps }: ChartData, unitsEnd: number): string {
  const [last, first] = [times.at(-1), steps[0]];
  if (first === undefined) return '';
  const hasOrigin = last !== undefined && last <= first;
  const x = plot.time.x(hasOrigin ? last : first);
  const shade = drawShade(frame, plot, x, plot.time.right);
  if (!hasOrigin) return shade;
  const line = new PathWriter().moveTo(crisp(x), plot.top - 20).lineTo(crisp(x), plot.bottom);
  const width = estimateWidth('Forecast', FONT_SIZE) + 6;
  const start = x + width < frame.width - 4 ? x + 6 : x - width;
  // The units are above the axis on the left. They are more important than this label.
  const label = start > unitsEnd + 6 ? drawText(frame.paint, start, plot.top - 10, 'Forecast', 'start') : '';
  return `${shade}<path d="${line}" stroke-dasharray="2 3"${frame.paint('stroke', 'axis')}/>${label}`;
}

interface EndLabel {
  readonly value: number;
  readonly text: string;
  readonly color: 'soft' | 'median';
}

/** Returns the labels of the last step: its median and its widest interval. */
function endLabels({ bands: [widest], median }: ChartData, axis: ValueAxis): EndLabel[] {
  const format = axisFormat(axis.step / 10, Math.max(Math.abs(axis.low), Math.abs(axis.high)));
  const labels: EndLabel[] = [];
  const add = (value: number | undefined, color: EndLabel['color']): void => {
    if (value !== undefined && Number.isFinite(value)) labels.push({ value, text: format(value), color });
  };
  add(median?.at(-1), 'median');
  add(widest?.high.at(-1), 'soft');
  add(widest?.low.at(-1), 'soft');
  return labels;
}

function drawEndLabels(frame: Frame, plot: Plot, labels: readonly EndLabel[]): string {
  const used: number[] = [];
  return labels
    .map(({ value, text, color }) => {
      const y = plot.y(value);
      // The median comes first, so a label that would touch it is the one that is left out.
      if (used.some((other) => Math.abs(other - y) < FONT_SIZE + 1)) return '';
      used.push(y);
      return drawText(frame.paint, plot.time.right + 6, y + 4, text, 'start', color);
    })
    .join('');
}
