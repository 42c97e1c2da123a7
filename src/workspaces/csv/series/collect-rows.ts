import { MAX_MAGNITUDE } from '../../../calendar/index.ts';
import type { Executor } from '../../../platform/index.ts';
import type { NumberFormat } from '../cells/numbers.ts';
import type { TimeFormat } from '../cells/times.ts';
import { lineFault } from '../reading/line-fault.ts';
import { splitRow } from '../storage/pack-rows.ts';
import { readChunks } from '../storage/read-chunks.ts';
import type { ChosenColumn } from './choose-columns.ts';
import { type CollectedRows, orderByTime, roomFor, someOf } from './ordered-rows.ts';
import { numberOf, offsetOf, timeOf } from './read-cells.ts';

export interface ChosenColumns {
  readonly time: ChosenColumn<TimeFormat>;
  readonly value: ChosenColumn<NumberFormat>;
}

/**
 * The times and values of a file, by time. A row without a value is a gap and is left out. Refused, by line: a value
 * without a time, one that is too large to compute with, and two rows of one time.
 */
export async function collectRows(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
  { time: timeColumn, value: valueColumn }: ChosenColumns,
  signal?: AbortSignal,
): Promise<CollectedRows> {
  const collected = roomFor(file.rows);
  let count = 0;
  for await (const { rows } of readChunks(executor, file)) {
    signal?.throwIfAborted();
    for (const text of rows) {
      const row = splitRow(text);
      const time = timeOf(row, timeColumn);
      const value = numberOf(row, valueColumn);
      if (time === null && value === null) continue;
      if (time === null) throw lineFault(row.line, 'there is a value without a time.');
      if (value !== null && Math.abs(value) > MAX_MAGNITUDE) {
        throw lineFault(row.line, `the value is beyond ${MAX_MAGNITUDE} either way.`);
      }
      collected.times[count] = time;
      collected.values[count] = value ?? Number.NaN;
      collected.lines[count] = row.line;
      collected.offsets[count] = offsetOf(row, timeColumn);
      count++;
    }
  }
  const ordered = orderByTime(someOf(collected, count));
  return someOf(ordered, (row) => !Number.isNaN(ordered.values[row]));
}
