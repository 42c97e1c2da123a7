import { COLORS } from './palette.ts';
import { line, type Point, text } from './svg.ts';

/** The part of a picture that data are drawn in, in pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a label stands on an axis, in pixels, and what it says. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Rules across the frame with their labels at the left, and what they measure above them. */
export function verticalAxis({ left, right, top }: Frame, ticks: readonly Tick[], caption: string): string[] {
  return [
    ...ticks.flatMap(({ at, label }) => [
      rule([left, at], [right, at]),
      text([left - 6, at + 4], label, { 'text-anchor': 'end' }),
    ]),
    text([left - 40, top - 10], caption),
  ];
}

/** Short marks below the frame with their labels, and what they measure below these. */
export function horizontalAxis({ left, right, bottom }: Frame, ticks: readonly Tick[], caption: string): string[] {
  return [
    line(
      [
        [left, bottom],
        [right, bottom],
      ],
      { stroke: '#666' },
    ),
    ...ticks.flatMap(({ at, label }) => [
      line(
        [
          [at, bottom],
          [at, bottom + 4],
        ],
        { stroke: '#666' },
      ),
      text([at, bottom + 18], label, { 'text-anchor': 'middle' }),
    ]),
    text([(left + right) / 2, bottom + 36], caption, { 'text-anchor': 'middle' }),
  ];
}

export function rule(from: Point, to: Point): string {
  return line([from, to], { stroke: COLORS.rule });
}

/** One entry after the other, each a sample with its name. */
export function legend(
  [left, top]: Point,
  entries: readonly { width: number; name: string; sample: (at: Point) => string }[],
): string[] {
  let at = left;
  return entries.flatMap(({ width, name, sample }) => {
    const parts = [sample([at, top]), text([at + 28, top + 4], name)];
    at += width;
    return parts;
  });
}

/** The first of January of every year from one instant to another. */
export function yearTicks([from, to]: Point, x: (time: number) => number, every = 1): Tick[] {
  const years: Tick[] = [];
  const first = new Date(from - 1).getUTCFullYear() + 1;
  for (let year = first; Date.UTC(year, 0) <= to; year += every) {
    years.push({ at: x(Date.UTC(year, 0)), label: String(year) });
  }
  return years;
}

/** Whole multiples of a step over all of the values, and the range from the first to the last of them. */
export function roundTicks(values: readonly number[], step: number): { ticks: number[]; range: Point } {
  const first = Math.floor(Math.min(...values) / step);
  const last = Math.ceil(Math.max(...values) / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { ticks, range: [first * step, last * step] };
}
