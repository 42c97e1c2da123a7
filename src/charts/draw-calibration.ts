import { formatCount, formatPercent } from './format-number.ts';
import { type ChartOptions, createFrame, drawText, FONT_SIZE, type Frame, PADDING, writeDocument } from './frame.ts';
import { PathWriter, px } from './path.ts';
import { crisp } from './plot.ts';
import { estimateWidth } from './text.ts';

/** How often one interval held the values that came. */
export interface CalibrationPoint {
  /** The share that the interval promises, from 0 to 1. */
  readonly nominal: number;
  /** The share of rows that lay inside, with its interval of uncertainty. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly inside: number;
  readonly rows: number;
}

export interface CalibrationChart {
  readonly title: string;
  readonly points: readonly CalibrationPoint[];
  /** What the points are: intervals that held rows (default), or probabilities of questions that came true. */
  readonly kind?: keyof typeof WORDS | undefined;
  /** The share of all questions that came true. */
  readonly baseRate?: number | undefined;
}

const WORDS = {
  intervals: {
    none: 'No interval',
    share: 'Rows that it held',
    nominal: 'Share that the interval promises',
    ideal: 'dashed: as promised',
  },
  probabilities: {
    none: 'No question',
    share: 'Came true',
    nominal: 'Stated probability',
    ideal: 'dashed: as stated',
  },
} as const;

/** A square plot of two shares. */
interface Square {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (share: number) => number;
  readonly y: (share: number) => number;
}

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const SIZE = { width: 360, height: 350 };
const CAP = 5;
/** Two labels that are closer would overlap. */
const LABEL_HEIGHT = 13;

/**
 * Draws which share of rows the intervals of forecasts held, against the share that they promise. A line marks where both
 * are equal, and a bar the uncertainty of each share.
 */
export function drawCalibration(chart: CalibrationChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, { ...SIZE, ...options });
  const points = chart.points
    .filter(({ nominal, share, rows }) => isShare(nominal) && isShare(share) && rows > 0)
    .toSorted((one, other) => one.nominal - other.nominal);
  const { kind = 'intervals', baseRate } = chart;
  const description = kind === 'intervals' ? describeCalibration(points) : describeProbabilities(points, baseRate);
  if (points.length === 0) {
    const empty = drawText(frame.paint, frame.width / 2, frame.height / 2, WORDS[kind].none, 'middle');
    return writeDocument(frame, options, description, [empty]);
  }
  const square = createSquare(frame);
  return writeDocument(frame, options, description, [
    drawAxes(frame, square, kind),
    drawIdeal(frame, square, kind),
    baseRate === undefined || !isShare(baseRate) ? '' : drawBaseRate(frame, square, baseRate),
    ...points.map((point, i) => drawPoint(frame, square, point, i)),
    ...drawLabels(frame, square, points),
  ]);
}

/** Returns what the plot shows, as sentences. */
export function describeCalibration(points: readonly CalibrationPoint[]): string {
  if (points.length === 0) return 'There is no interval.';
  return points
    .map(
      ({ nominal, share, low, high, inside, rows }) =>
        `The ${formatPercent(nominal)} interval held ${whole(share)}% of the rows (${formatCount(inside)} of ${formatCount(rows)}); with 95% confidence it holds ${whole(low)}% to ${whole(high)}%.`,
    )
    .join(' ');
}

/** Returns what a plot of probabilities shows, as sentences. */
export function describeProbabilities(points: readonly CalibrationPoint[], baseRate?: number): string {
  if (points.length === 0) return 'There is no question.';
  const base = baseRate === undefined ? '' : ` Of all questions, ${whole(baseRate)}% came true.`;
  return `${points
    .map(
      ({ nominal, share, low, high, inside, rows }) =>
        `Of ${formatCount(rows)} with about ${whole(nominal)}%, ${formatCount(inside)} came true (${whole(share)}%); with 95% confidence the share is ${whole(low)}% to ${whole(high)}%.`,
    )
    .join(' ')}${base}`;
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function whole(share: number): string {
  return String(Math.round(share * 100));
}

function createSquare(frame: Frame): Square {
  const inset = frame.isStandalone ? PADDING : 2;
  const [left, right] = [estimateWidth('100%', FONT_SIZE) + 10 + inset, frame.width - 12];
  const [top, bottom] = [frame.top + 22, frame.height - 42 - (frame.isStandalone ? 4 : 0)];
  return {
    left,
    right,
    top,
    bottom,
    x: (share) => left + (right - left) * share,
    y: (share) => bottom - (bottom - top) * Math.max(0, Math.min(1, share)),
  };
}

function drawAxes(frame: Frame, { left, right, top, bottom, x, y }: Square, kind: keyof typeof WORDS): string {
  const { paint } = frame;
  const grid = new PathWriter();
  const labels: string[] = [];
  for (const share of TICKS) {
    grid.moveTo(left, crisp(y(share))).lineTo(right, crisp(y(share)));
    labels.push(drawText(paint, left - 8, y(share) + 4, formatPercent(share), 'end'));
    labels.push(drawText(paint, x(share), bottom + 18, formatPercent(share), share === 1 ? 'end' : 'middle'));
  }
  const axis = new PathWriter().moveTo(left, bottom).lineTo(right, bottom);
  return [
    `<path d="${grid}"${paint('stroke', 'grid')}/><path d="${axis}"${paint('stroke', 'axis')}/>`,
    ...labels,
    drawText(paint, frame.isStandalone ? PADDING : 2, top - 10, WORDS[kind].share, 'start'),
    drawText(paint, right, bottom + 36, WORDS[kind].nominal, 'end'),
  ].join('');
}

function drawIdeal({ paint }: Frame, { right, top, x, y }: Square, kind: keyof typeof WORDS): string {
  const line = new PathWriter().moveTo(x(0), y(0)).lineTo(x(1), y(1));
  return [
    `<path d="${line}" stroke-width="1.5" stroke-dasharray="5 4"${paint('stroke', 'axis')}/>`,
    drawText(paint, right, top - 10, WORDS[kind].ideal, 'end'),
  ].join('');
}

/** Draws the share of all questions that came true, which a forecaster without any insight would state. */
function drawBaseRate({ paint }: Frame, { left, right, y }: Square, baseRate: number): string {
  const at = crisp(y(baseRate));
  const line = new PathWriter().moveTo(left, at).lineTo(right, at);
  return `<path d="${line}" stroke-width="1.5" stroke-dasharray="1 4" stroke-linecap="round"${paint('stroke', 'outcome')}/>`;
}

/** Draws a point with its bar in a group of its own, which a page can mark. */
function drawPoint({ paint }: Frame, { x, y }: Square, { nominal, share, low, high }: CalibrationPoint, i: number) {
  const [at, top, bottom] = [x(nominal), y(high), y(low)];
  const bar = new PathWriter()
    .moveTo(at, top)
    .lineTo(at, bottom)
    .moveTo(at - CAP, top)
    .lineTo(at + CAP, top)
    .moveTo(at - CAP, bottom)
    .lineTo(at + CAP, bottom);
  return [
    `<g class="ac-point" data-point="${i}"><path d="${bar}" stroke-width="1.8"${paint('stroke', 'fan')}/>`,
    `<circle cx="${px(at)}" cy="${px(y(share))}" r="4.5"${paint('fill', 'median')}/></g>`,
  ].join('');
}

/** Draws the counts left of the points. A count without room is left out; the table beside the plot has it. */
function drawLabels({ paint }: Frame, { left, x, y }: Square, points: readonly CalibrationPoint[]): string[] {
  let lowest = Number.NEGATIVE_INFINITY;
  return points.toReversed().flatMap(({ nominal, share, inside, rows }) => {
    const label = `${formatCount(inside)} of ${formatCount(rows)}`;
    const [at, line] = [x(nominal), y(share) + 4];
    const hasRoom = at - 10 - estimateWidth(label, FONT_SIZE) > left && line - lowest >= LABEL_HEIGHT;
    if (!hasRoom) return [];
    lowest = line;
    return [drawText(paint, at - 10, line, label, 'end', 'ink')];
  });
}
