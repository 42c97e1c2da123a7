import { COLORS } from './palette.ts';
import { line, type Point, text } from './svg.ts';

/** The plot area of a picture, in pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The position of a label on an axis, in pixels, and its text. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Draws horizontal lines across the frame, with labels at the left and a caption above. */
export function verticalAxis({ left, right, top }: Frame, ticks: readonly Tick[], caption: string): string[] {
  return [
    ...ticks.flatMap(({ at, label }) => [
      rule([left, at], [right, at]),
      text([left - 6, at + 4], label, { 'text-anchor': 'end' }),
    ]),
    text([left - 40, top - 10], caption),
  ];
}

/** Draws tick marks below the frame, with labels and a caption below them. */
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

/** Draws a legend: its entries side by side, each with a sample and its name. */
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

/** Returns a tick at January 1 of every year between two instants. */
export function yearTicks([from, to]: Point, x: (time: number) => number, every = 1): Tick[] {
  const years: Tick[] = [];
  const first = new Date(from - 1).getUTCFullYear() + 1;
  for (let year = first; Date.UTC(year, 0) <= to; year += every) {
    years.push({ at: x(Date.UTC(year, 0)), label: String(year) });
  }
  return years;
}

/**
 * Returns the multiples of a step, from the last one below the values to the first one above them, and the range that
 * they span.
 */
export function roundTicks(values: readonly number[], step: number): { ticks: number[]; range: Point } {
  const first = Math.floor(Math.min(...values) / step);
  const last = Math.ceil(Math.max(...values) / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { ticks, range: [first * step, last * step] };
}
