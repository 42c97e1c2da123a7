import { formatInstant } from './format-date.ts';
import { formatProbability } from './format-number.ts';
import { type ChartOptions, createFrame, drawText, FONT_SIZE, type Frame, PADDING, writeDocument } from './frame.ts';
import { PathWriter } from './path.ts';
import { createPlot, drawAxes, type Plot } from './plot.ts';
import { estimateWidth } from './text.ts';
import { hasTimesOfDay } from './time-axis.ts';
import { createTimeScale } from './time-scale.ts';

/** What a chart of a question shows: its probability over time. */
export interface ProbabilityChart {
  readonly title: string;
  /** Ascending. A probability is from 0 to 1. */
  readonly revisions: readonly { readonly timestamp: number; readonly probability: number }[];
  readonly outcome?: 'yes' | 'no' | 'annulled' | undefined;
  /** When the last probability ends: when the question was resolved, or now. Default: the last revision. */
  readonly end?: number | undefined;
}

const OUTCOMES = { yes: 'Yes', no: 'No', annulled: 'Annulled' } as const;
const PERCENT_AXIS = {
  low: 0,
  high: 1,
  step: 0.25,
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: formatProbability(value) })),
};

/** Draws the probabilities of a question as steps from 0% to 100%, with its outcome at the end. */
export function drawProbabilityChart(chart: ProbabilityChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, options);
  const revisions = chart.revisions.filter(
    ({ timestamp, probability }) => Math.abs(timestamp) <= 8.64e15 && probability >= 0 && probability <= 1,
  );
  const [first, last] = [revisions[0], revisions.at(-1)];
  const description = describe(chart, revisions);
  if (first === undefined || last === undefined) {
    const empty = drawText(frame.paint, frame.width / 2, frame.height / 2, 'No probability', 'middle');
    return writeDocument(frame, options, description, [empty]);
  }
  const end = Math.max(last.timestamp, chart.end ?? last.timestamp);
  const top = frame.top + 16;
  const left = estimateWidth('100%', FONT_SIZE) + 10 + (frame.isStandalone ? PADDING : 2);
  const endLabel = chart.outcome === undefined ? formatProbability(last.probability) : OUTCOMES[chart.outcome];
  const right = frame.width - Math.max(estimateWidth(endLabel, FONT_SIZE), 20) - 22;
  // The distances of revisions are times, also if several were made on a day.
  const time = createTimeScale(Float64Array.of(first.timestamp, end), left, right);
  const plot = createPlot(time, PERCENT_AXIS, top, frame.height - 40 - (frame.isStandalone ? 4 : 0));
  const line = new PathWriter().moveTo(time.x(first.timestamp), plot.y(first.probability));
  const dots = new PathWriter().dot(time.x(first.timestamp), plot.y(first.probability));
  let before = first;
  for (const revision of revisions.slice(1)) {
    const x = time.x(revision.timestamp);
    line.lineTo(x, plot.y(before.probability)).lineTo(x, plot.y(revision.probability));
    dots.dot(x, plot.y(revision.probability));
    before = revision;
  }
  line.lineTo(time.x(end), plot.y(last.probability));
  const ends = 'stroke-linejoin="round" stroke-linecap="round"';
  const size = (right - left) / revisions.length > 8 ? 6 : 3;
  return writeDocument(frame, options, description, [
    drawAxes(frame, plot, PERCENT_AXIS),
    `<path d="${line}" stroke-width="2.2" ${ends}${frame.paint('stroke', 'median')}/>`,
    `<path d="${dots}" stroke-width="${size}" ${ends}${frame.paint('stroke', 'median')}/>`,
    drawEnd(frame, plot, time.x(end), last.probability, chart.outcome),
  ]);
}

function drawEnd(
  frame: Frame,
  plot: Plot,
  x: number,
  probability: number,
  outcome: ProbabilityChart['outcome'],
): string {
  const { paint } = frame;
  const labelX = Math.max(x, plot.time.right) + 10;
  if (outcome === undefined) {
    return drawText(paint, labelX, plot.y(probability) + 4, formatProbability(probability), 'start', 'median');
  }
  if (outcome === 'annulled') return drawText(paint, labelX, plot.y(probability) + 4, OUTCOMES.annulled, 'start');
  const y = plot.y(outcome === 'yes' ? 1 : 0);
  const line = new PathWriter().moveTo(x, plot.y(probability)).lineTo(x, y);
  const stroke = `${paint('stroke', 'outcome')} stroke-linecap="round"`;
  return [
    `<path d="${line}" stroke-width="1.5" stroke-dasharray="3 3"${stroke}/>`,
    `<path d="${new PathWriter().dot(x, y)}" stroke-width="9"${stroke}/>`,
    drawText(paint, labelX, y + 4, OUTCOMES[outcome], 'start', 'outcome'),
  ].join('');
}

function describe({ outcome }: ProbabilityChart, revisions: ProbabilityChart['revisions']): string {
  const [first, last] = [revisions[0], revisions.at(-1)];
  if (first === undefined || last === undefined) return 'There is no probability.';
  const hasTimes = hasTimesOfDay(revisions.map(({ timestamp }) => timestamp));
  const at = ({ timestamp }: typeof first): string => formatInstant(timestamp, hasTimes);
  const start = `The first probability is ${formatProbability(first.probability)}, of ${at(first)}.`;
  const change =
    revisions.length === 1
      ? ''
      : ` The last of ${revisions.length} is ${formatProbability(last.probability)}, of ${at(last)}.`;
  return `${start}${change}${outcome === undefined ? '' : ` The outcome is: ${OUTCOMES[outcome].toLowerCase()}.`}`;
}
