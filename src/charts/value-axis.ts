import { axisFormat, exponentOf, powerOfTen } from './format-number.ts';

/** The scale of values: the range that the axis covers, and its ticks. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  /** The distance of two ticks. */
  readonly step: number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

/** Larger values are drawn at the edge, because a range of twice their size would not be a number. */
export const MAX_VALUE = 1e300;

/** A range that is smaller than this part of the values cannot be divided exactly: the values count as one. */
const MIN_RELATIVE_RANGE = 1e-11;

/**
 * Returns the axis for values between `min` and `max`, with ticks at round numbers.
 *
 * @param maxTicks the number of labels for which there is room
 * @param minStep the distance of two ticks is a multiple of it; 0: any distance
 */
export function createValueAxis(min: number, max: number, maxTicks: number, minStep = 0): ValueAxis {
  const size = Math.max(Math.abs(min), Math.abs(max));
  const isOne = max - min <= size * MIN_RELATIVE_RANGE || max - min < 1e-290;
  const margin = isOne ? (size < 1e-290 ? 1 : size * 0.1) : (max - min) * 0.05;
  let [low, high] = [min - margin, max + margin];
  // The margin alone does not make an axis of positive values begin below zero.
  if (min >= 0 && low < 0 && !isOne) low = 0;
  if (max <= 0 && high > 0 && !isOne) high = 0;
  const round = roundStep((high - low) / Math.max(2, maxTicks));
  const step = minStep > 0 ? Math.ceil(round / minStep) * minStep : round;
  const format = axisFormat(step, Math.max(Math.abs(low), Math.abs(high)));
  const ticks: { value: number; label: string }[] = [];
  for (let k = Math.ceil(low / step); k * step <= high && ticks.length < 30; k++) {
    const value = k * step;
    ticks.push({ value, label: format(value) });
  }
  return { low, high, step, ticks };
}

/** Returns the smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `width`. */
function roundStep(width: number): number {
  const exponent = exponentOf(width);
  for (const digits of [10, 20, 25, 50]) {
    const step = digits * powerOfTen(exponent - 1);
    if (step >= width) return step;
  }
  return powerOfTen(exponent + 1);
}
