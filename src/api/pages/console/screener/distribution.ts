import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { formatFieldValue } from './filter-words.ts';
import { readNumber } from './read-number.ts';

export type Fields = Output<Operations['listScreenerFields']>;
export type FieldEntry = Fields['fields'][number];
type Distribution = NonNullable<FieldEntry['distribution']>;

/** A range of values that a condition accepts. Both ends can be open. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Comparison {
  readonly op: string;
  readonly value: string;
  readonly high: string;
  readonly other: string;
}

const WIDTH = 320;
const HEIGHT = 34;
const MIDDLE = 13;

/** Renders how the values of a field are distributed in the latest evaluated session, and which part of them a condition accepts. */
export function renderDistribution({ field, distribution }: FieldEntry, comparison: Comparison): Html | null {
  if (distribution === null) return null;
  if (distribution.count === 0) return html`<p class="hint">No symbol has a value in this session.</p>`;
  const range = rangeOf(comparison);
  const at = (level: number): number => distribution.quantiles.find((entry) => entry.level === level)?.value ?? 0;
  const [lowest, low, median, high, highest] = [0, 0.25, 0.5, 0.75, 1].map((level) =>
    formatFieldValue(field, at(level)),
  );
  return html`${new Html(drawDistribution(distribution, range))}
<p class="hint">In the latest evaluated session, of ${formatCount(distribution.count, 'symbol')}: half are between ${low} and ${high}, the median is ${median}, from ${lowest} to ${highest}.${
    range !== null && html` <strong>${describeShare(distribution, range)}</strong>`
  }</p>`;
}

/** Returns the values that a condition accepts; null if that depends on another field or the previous session. */
function rangeOf({ op, value, high, other }: Comparison): Range | null {
  const [from, to] = [readNumber(value), readNumber(high)];
  if (from === null) return null;
  if (op === 'between') return to === null || to < from ? null : { from, to };
  if (other !== '') return null;
  if (op === 'gt' || op === 'gte') return { from, to: Number.POSITIVE_INFINITY };
  return op === 'lt' || op === 'lte' ? { from: Number.NEGATIVE_INFINITY, to: from } : null;
}

/** The share of fewer symbols is not estimated. */
const MIN_COUNT = 10;

function describeShare(distribution: Distribution, range: Range): string {
  const share = estimateShare(distribution, range);
  if (share <= 0) return 'No symbol passes.';
  if (share >= 1) return 'Every symbol passes.';
  // A share between the values of a few symbols is not that of any of them.
  if (distribution.count < MIN_COUNT) return 'Some symbols pass.';
  return `About ${share < 0.01 ? '1%' : formatShare(share, 0)} pass.`;
}

/** Returns about which share of the values lies in a range, by interpolation between the quantiles. */
export function estimateShare({ quantiles }: Pick<Distribution, 'quantiles'>, { from, to }: Range): number {
  return Math.max(0, levelOf(quantiles, to) - levelOf(quantiles, from));
}

function levelOf(quantiles: Distribution['quantiles'], value: number): number {
  const above = quantiles.findIndex((entry) => entry.value >= value);
  const [before, next] = [quantiles[above - 1], quantiles[above]];
  if (above === -1) return 1;
  if (before === undefined || next === undefined) return 0;
  return before.level + ((value - before.value) / (next.value - before.value)) * (next.level - before.level);
}

/** Draws the range of values as a line, the middle half as a bar and the median as a mark. The sentence states the same. */
function drawDistribution({ quantiles }: Distribution, range: Range | null): string {
  const values = new Map(quantiles.map(({ level, value }) => [level, value]));
  const at = (level: number): number => values.get(level) ?? 0;
  // A few extreme values would leave no space for all others.
  const [min, max] = [at(0.01), at(0.99)];
  const margin = 8;
  const x = (value: number): string => {
    const share = max > min ? (value / 2 - min / 2) / (max / 2 - min / 2) : 0.5;
    return (margin + (WIDTH - 2 * margin) * Math.min(1, Math.max(0, share))).toFixed(1);
  };
  const ends = range && [x(range.from), x(range.to)];
  const accepted = ends
    ? `<rect class="accepted" x="${ends[0]}" y="1" width="${(Number(ends[1]) - Number(ends[0])).toFixed(1)}" height="${2 * MIDDLE - 2}" rx="3"/>`
    : '';
  const bounds = range
    ? [range.from, range.to]
        .filter(Number.isFinite)
        .map((value) => `<path class="bound" d="M${x(value)} 0V${2 * MIDDLE}"/>`)
        .join('')
    : '';
  const width = Math.max(2, Number(x(at(0.75))) - Number(x(at(0.25))));
  return [
    `<svg class="distribution" viewBox="0 0 ${WIDTH} ${HEIGHT - 8}" aria-hidden="true" focusable="false">`,
    accepted,
    `<path class="span" d="M${x(min)} ${MIDDLE}H${x(max)}"/>`,
    `<rect class="half" x="${x(at(0.25))}" y="${MIDDLE - 5}" width="${width.toFixed(1)}" height="10" rx="3"/>`,
    `<path class="median" d="M${x(at(0.5))} ${MIDDLE - 7}v14"/>`,
    bounds,
    '</svg>',
  ].join('');
}
