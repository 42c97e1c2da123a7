import {
  EARLIEST_INSTANT,
  type Frequency,
  LATEST_INSTANT,
  PERIOD_WORDS,
  periodEnd,
  periodStart,
} from '../../calendar/index.ts';
import type { WarehouseReference } from '../../contract/index.ts';
import type { WarehouseQuery } from './engine.ts';
import { endNotAfterStart, instantOutOfRange, noWholePeriod, startAfterCutoff } from './faults.ts';
import { isServedInstant } from './raw-times.ts';

type Range = Pick<WarehouseQuery, 'from' | 'to'>;

/**
 * Returns the instants between which a reference reads rows. If the rows of a period are combined, a part of a period
 * would have a wrong value, so that only whole periods are read.
 *
 * @param cutoff milliseconds since 1970: periods that end later are not needed. Null if all are.
 */
export function readRange(reference: WarehouseReference, cutoff: number | null): Range {
  const [start, end] = [readInstant(reference, 'start'), readInstant(reference, 'end')];
  if (start !== null && end !== null && end <= start) throw endNotAfterStart();
  const frequency = reference.aggregate?.frequency;
  const from = start === null || frequency === undefined ? start : roundUp(frequency, start);
  const to = end === null || frequency === undefined ? end : periodStart(frequency, end);
  if (frequency !== undefined && from !== null && to !== null && from >= to) {
    throw noWholePeriod(PERIOD_WORDS[frequency].noun);
  }
  const bound = readCutoff(cutoff, frequency);
  if (bound === null) return { from, to };
  if (from !== null && from >= bound) throw startAfterCutoff(from, cutoff ?? bound);
  return { from, to: to === null ? bound : Math.min(to, bound) };
}

function readInstant(reference: WarehouseReference, field: 'start' | 'end'): number | null {
  const text = reference[field];
  if (text === undefined) return null;
  const instant = Date.parse(text);
  if (!isServedInstant(instant)) throw instantOutOfRange(field);
  return instant;
}

/** Returns the start of the first period that begins at an instant or later. */
function roundUp(frequency: Frequency, instant: number): number {
  const start = periodStart(frequency, instant);
  return start === instant ? instant : periodEnd(frequency, instant);
}

/** Returns the bound of a cutoff. A cutoff can be in years that the calendar does not have. */
function readCutoff(cutoff: number | null, frequency: Frequency | undefined): number | null {
  if (cutoff === null || cutoff > LATEST_INSTANT) return null;
  const bound = Math.max(cutoff, EARLIEST_INSTANT);
  return frequency === undefined ? bound : Math.max(periodStart(frequency, bound), EARLIEST_INSTANT);
}
