import { createPaint } from './colors.ts';
import { PathWriter, px } from './path.ts';
import { forEachRun } from './plot.ts';
import { cleanLine, escapeXml } from './text.ts';

/** What a sparkline shows. A value that is not finite is missing. */
export interface Sparkline {
  readonly history: readonly number[];
  /** Continues the history. */
  readonly median?: readonly number[] | undefined;
  /** The edges of an interval around the median. */
  readonly low?: readonly number[] | undefined;
  readonly high?: readonly number[] | undefined;
}

export interface SparklineOptions {
  /** In pixels. Default: 120. */
  readonly width?: number | undefined;
  /** In pixels. Default: 32. */
  readonly height?: number | undefined;
  /** What the line shows, for readers that cannot see it. Without a label, screen readers skip the sparkline. */
  readonly label?: string | undefined;
}

/** The space around the lines, so that their ends are not cut. */
const MARGIN = 2.5;
const MAX_LABEL = 300;

/**
 * Draws values as a small line without axes, for lists. It has the classes of CHART_STYLE, no style attribute and no ids,
 * so a page can contain many.
 *
 * @example drawSparkline({ history: [3, 1, 2], median: [2, 3], low: [1, 1], high: [3, 4] }, { label: 'Rising' })
 */
export function drawSparkline(
  line: Sparkline,
  { width = 120, height = 32, label = '' }: SparklineOptions = {},
): string {
  const { history, median = [], low = [], high = [] } = line;
  const paint = createPaint('variables');
  const count = history.length + Math.max(median.length, low.length, high.length);
  const all = [...history, ...median, ...low, ...high].filter(Number.isFinite);
  const range = all.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)] as const, [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as const);
  const x = (i: number): number => (count < 2 ? width / 2 : MARGIN + ((width - 2 * MARGIN) * i) / (count - 1));
  const y = (value: number | undefined): number => placeOf(value, range, height);
  const pointsOf = (values: readonly number[]): Point[] =>
    values.map((value, i) => ({ x: x(history.length + i), y: y(value) }));
  const past = history.map((value, i) => ({ x: x(i), y: y(value) }));
  // The fan opens from the last row, if that has a value.
  const origin = past.slice(-1).filter((point) => Number.isFinite(point.y));
  const ends = 'stroke-linejoin="round" stroke-linecap="round"';
  const parts = [
    drawBand(
      [...origin, ...pointsOf(low)],
      [...origin, ...pointsOf(high)],
      `${paint('fill', 'fan')} fill-opacity=".28"`,
    ),
    drawLine(past, `stroke-width="1.5" ${ends}${paint('stroke', 'history')}`),
    median.length === 0
      ? ''
      : drawLine([...origin, ...pointsOf(median)], `stroke-width="1.8" ${ends}${paint('stroke', 'median')}`),
  ];
  const text = cleanLine(label, MAX_LABEL);
  const name = text === '' ? 'aria-hidden="true"' : `role="img" aria-label="${escapeXml(text)}"`;
  return [
    `<svg class="almanac-chart sparkline" width="${px(width)}" height="${px(height)}"`,
    ` viewBox="0 0 ${px(width)} ${px(height)}" focusable="false" ${name}>${parts.join('')}</svg>`,
  ].join('');
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function placeOf(value: number | undefined, [min, max]: readonly [number, number], height: number): number {
  if (value === undefined || !Number.isFinite(value)) return Number.NaN;
  // Halves first: the difference of two huge numbers is not finite.
  const share = max > min ? (value / 2 - min / 2) / (max / 2 - min / 2) : 0.5;
  return height - MARGIN - (height - 2 * MARGIN) * share;
}

function drawLine(points: readonly Point[], attributes: string): string {
  const path = new PathWriter();
  forEachPath(points, (from, to) => {
    const [first, ...others] = points.slice(from, to);
    if (first === undefined) return;
    if (others.length === 0) return void path.dot(first.x, first.y);
    path.moveTo(first.x, first.y);
    for (const point of others) path.lineTo(point.x, point.y);
  });
  const d = path.toString();
  return d === '' ? '' : `<path d="${d}" ${attributes}/>`;
}

function drawBand(low: readonly Point[], high: readonly Point[], attributes: string): string {
  const path = new PathWriter();
  const both = high.map((point, i) => ({ x: point.x, y: point.y + (low[i]?.y ?? Number.NaN) }));
  forEachPath(both, (from, to) => {
    const edge = [...high.slice(from, to), ...low.slice(from, to).reverse()];
    const [first, ...others] = edge;
    if (first === undefined || edge.length < 4) return;
    path.moveTo(first.x, first.y);
    for (const point of others) path.lineTo(point.x, point.y);
    path.close();
  });
  const d = path.toString();
  return d === '' ? '' : `<path d="${d}"${attributes}/>`;
}

function forEachPath(points: readonly Point[], visit: (from: number, to: number) => void): void {
  forEachRun(
    points.length,
    (i) => Number.isFinite(points[i]?.y),
    () => false,
    visit,
  );
}
