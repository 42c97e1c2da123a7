import { exponentOf, formatValue, powerOfTen } from './format-number.ts';
import { log10 } from './logarithm.ts';
import { createValueAxis, type ValueAxis } from './value-axis.ts';

/** The values in each power of ten that have a label, the most first: as many as there is room for. */
const DIGITS = [[1, 2, 5], [1, 3], [1]] as const;

/**
 * Returns the axis of a logarithmic scale. Its range and the values of its ticks are logarithms to the base of ten; the
 * labels are the values themselves.
 *
 * @param min more than 0
 */
export function createLogAxis(min: number, max: number, maxTicks: number): ValueAxis {
  const margin = Math.max(0.01, (log10(max) - log10(min)) * 0.05);
  const [low, high] = [log10(min) - margin, log10(max) + margin];
  const candidates = DIGITS.map((digits) => roundValues(min, max, digits, maxTicks));
  const round = candidates.find((values) => values.length <= maxTicks + 1) ?? candidates.at(-1) ?? [];
  // Less than half a power of ten has hardly a round value: the ticks are those of a linear axis.
  const ticks =
    round.length >= 3
      ? round.map((value) => ({ value: log10(value), label: formatValue(value) }))
      : createValueAxis(min, max, maxTicks)
          .ticks.filter(({ value }) => value > 0)
          .map(({ value, label }) => ({ value: log10(value), label }));
  return { low, high, step: 1, ticks: ticks.filter(({ value }) => value >= low && value <= high) };
}

function roundValues(min: number, max: number, digits: readonly number[], maxTicks: number): number[] {
  const [from, to] = [exponentOf(min), exponentOf(max)];
  const step = Math.max(1, Math.ceil((to - from) / Math.max(2, maxTicks)));
  const values: number[] = [];
  for (let exponent = from; exponent <= to; exponent += step) {
    for (const digit of digits) {
      const value = digit * powerOfTen(exponent);
      if (value >= min * 0.95 && value <= max * 1.05) values.push(value);
    }
  }
  return values;
}
