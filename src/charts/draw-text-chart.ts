import { type ChartData, type ForecastChart, rangeOf, readChartData } from './chart-data.ts';
import { formatPercent } from './format-number.ts';
import { columnsOf, mergeTimes, selectShownRows } from './shown-rows.ts';
import { DOTS_ACROSS, DOTS_DOWN, TextGrid } from './text-grid.ts';
import { timeTicks } from './time-axis.ts';
import { createTimeScale, type TimeScale } from './time-scale.ts';
import { createValueAxis } from './value-axis.ts';

export interface TextChartOptions {
  /** The number of characters in a line, from 40 to 160. Default: 80. */
  readonly width?: number | undefined;
  /** The number of lines of the picture without its axis, from 6 to 40. Default: 16. */
  readonly height?: number | undefined;
  /** Whether only ASCII characters are used, for terminals that have no others. */
  readonly isAscii?: boolean | undefined;
}

/** The signs of the intervals, the widest first, and of the median. */
const SIGNS = { shades: ['░', '▒', '▓'], median: '━', line: '⠤', axis: '│', corner: '└', base: '─', tick: '┴' };
const ASCII_SIGNS = { shades: ['.', ':', '#'], median: '=', line: '*', axis: '|', corner: '+', base: '-', tick: '+' };
type Signs = typeof SIGNS;

/** The ticks of the time axis are chosen in pixels. A character is about as wide. */
const PIXELS = 8;
const LINES_PER_TICK = 3;

/**
 * Draws the chart of a forecast with characters: the history as a line, the intervals as shades and the median through
 * them, with both axes and a legend. Long histories are cut as in the picture for a page.
 */
export function drawTextChart(chart: ForecastChart, options: TextChartOptions = {}): string {
  const width = clamp(options.width ?? 80, 40, 160);
  const height = clamp(options.height ?? 16, 6, 40);
  const signs = options.isAscii ? ASCII_SIGNS : SIGNS;
  const { shown } = selectShownRows(readChartData(chart));
  const range = rangeOf(columnsOf(shown));
  if (!(range.high >= range.low)) return 'No values\n';
  const axis = createValueAxis(range.low, range.high, height / LINES_PER_TICK);
  const margin = Math.max(...axis.ticks.map(({ label }) => label.length), 3) + 1;
  const grid = new TextGrid(width - margin - 1, height);
  const scale = createTimeScale(mergeTimes(shown), 0, (grid.width - 1) * PIXELS);
  const place: Place = {
    column: (time) => scale.x(time) / PIXELS,
    row: (value) => ((axis.high - value) / (axis.high - axis.low)) * (height - 1),
  };
  drawFanOf(grid, shown, place, signs);
  drawHistoryOf(grid, shown, place, scale);
  const labels = new Map(axis.ticks.map(({ value, label }) => [Math.round(place.row(value)), label]));
  const rows = grid
    .lines(options.isAscii ?? false)
    .map((line, row) => `${toAscii(labels.get(row) ?? '', options).padStart(margin)}${signs.axis}${line}`);
  return [...rows, ...timeLines(scale, margin, grid.width, signs), '', legendOf(shown, margin, signs)]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Where a time and a value are, in characters. */
interface Place {
  column(time: number): number;
  row(value: number): number;
}

/** Fills each column of the forecast. The fan begins at the last known value. */
function drawFanOf(grid: TextGrid, data: ChartData, place: Place, { shades, median }: Signs): void {
  const origin = data.values.at(-1) ?? Number.NaN;
  const hasOrigin = Number.isFinite(origin) && data.steps.length > 0;
  const columns = Array.from(data.steps, place.column);
  if (hasOrigin) columns.unshift(place.column(data.times.at(-1) ?? 0));
  const valuesOf = (line: Float64Array) => (hasOrigin ? [origin, ...line] : [...line]);
  const fill = (low: readonly number[], high: readonly number[], sign: string) => {
    const from = Math.floor(columns[0] ?? 0) + (hasOrigin ? 1 : 0);
    for (let column = from; column <= Math.round(columns.at(-1) ?? -1); column++) {
      // The whole width of the character counts, so that steep parts have no holes.
      const rowsOf = (line: readonly number[]) =>
        [column - 0.4, column + 0.4].map((at) => Math.round(place.row(valueAt(columns, line, at))));
      const [bottom, top] = [Math.max(...rowsOf(low)), Math.min(...rowsOf(high))];
      for (let row = top; row <= bottom; row++) grid.put(column, row, sign);
    }
  };
  for (const [i, { low, high }] of data.bands.entries()) {
    fill(valuesOf(low), valuesOf(high), shades[Math.min(i, shades.length - 1)] ?? '');
  }
  if (data.median !== null) fill(valuesOf(data.median), valuesOf(data.median), median);
}

/** Returns the value of a line between its points. */
function valueAt(columns: readonly number[], values: readonly number[], column: number): number {
  const next = columns.findIndex((one) => one >= column);
  if (next <= 0) return values[next === 0 ? 0 : values.length - 1] ?? Number.NaN;
  const [from, to] = [columns[next - 1] ?? 0, columns[next] ?? 0];
  const share = to > from ? (column - from) / (to - from) : 1;
  return (values[next - 1] ?? Number.NaN) * (1 - share) + (values[next] ?? Number.NaN) * share;
}

function drawHistoryOf(grid: TextGrid, { times, values }: ChartData, place: Place, scale: TimeScale): void {
  const x = (i: number) => Math.floor(place.column(times[i] ?? 0) * DOTS_ACROSS);
  const y = (i: number) => Math.floor((place.row(values[i] ?? 0) + 0.5) * DOTS_DOWN);
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    const isJoined = i > 0 && Number.isFinite(values[i - 1]) && !scale.isGap(times[i - 1] ?? 0, times[i] ?? 0);
    const from = isJoined ? i - 1 : i;
    grid.drawLine(x(from), y(from), x(i), y(i));
  }
}

/** Returns the lines of the time axis: the line itself, the labels, and the years or days that they belong to. */
function timeLines(scale: TimeScale, margin: number, width: number, { corner, base, tick }: Signs): string[] {
  const ticks = timeTicks(scale).map(({ x, ...text }) => ({ ...text, column: Math.round(x / PIXELS) }));
  const marks = new Set(ticks.map(({ column }) => column));
  const line = Array.from({ length: width }, (_, column) => (marks.has(column) ? tick : base)).join('');
  const spread = (texts: readonly (readonly [column: number, text: string])[]) =>
    texts.reduce((written, [column, text]) => {
      const start = Math.max(
        0,
        Math.min(width, margin + 1 + width - text.length, margin + 1 + column - Math.floor(text.length / 2)),
      );
      return text === '' || start < written.length + (written === '' ? 0 : 1)
        ? written
        : `${written.padEnd(start)}${text}`;
    }, '');
  const labels = spread(ticks.map(({ column, label }) => [column, label]));
  const contexts = spread(ticks.map(({ column, context }) => [column, context]));
  return [`${' '.repeat(margin)}${corner}${line}`, labels, ...(contexts === '' ? [] : [contexts])];
}

function legendOf({ bands, median }: ChartData, margin: number, { line, shades, median: middle }: Signs): string {
  const items = [
    `${line.repeat(2)} history`,
    ...(median === null ? [] : [`${middle.repeat(2)} median`]),
    ...bands.map(
      ({ share }, i) => `${(shades[Math.min(i, shades.length - 1)] ?? '').repeat(2)} ${formatPercent(share)} interval`,
    ),
  ];
  return `${' '.repeat(margin + 1)}${items.join('   ')}`;
}

function toAscii(label: string, { isAscii }: TextChartOptions): string {
  return isAscii ? label.replace('\u2212', '-') : label;
}

function clamp(value: number, min: number, max: number): number {
  return Number.isFinite(value) ? Math.max(min, Math.min(max, Math.floor(value))) : min;
}
