import { Fault } from '../../../contract/index.ts';
import type { Executor } from '../../../platform/index.ts';
import { chooseTimes } from '../series/choose-columns.ts';
import { dateRows } from '../series/date-rows.ts';
import { orderByTime, roomFor, someOf } from '../series/ordered-rows.ts';
import { offsetOf, timeOf } from '../series/read-cells.ts';
import { splitRow } from '../storage/pack-rows.ts';
import { readChunks } from '../storage/read-chunks.ts';
import type { StoredFile } from './store-rows.ts';

/** The frequency of the rows of a file by a column of times; null where they have none, or two rows one period. */
export async function guessFrequency(
  executor: Executor,
  fileId: string,
  file: Pick<StoredFile, 'rows' | 'columns'>,
  timeField: string | null,
): Promise<string | null> {
  if (timeField === null) return null;
  const column = chooseTimes(file.columns, timeField);
  const found = roomFor(file.rows);
  let count = 0;
  for await (const { rows } of readChunks(executor, { id: fileId, rows: file.rows })) {
    for (const row of rows) {
      const cells = splitRow(row);
      const time = timeOf(cells, column);
      if (time === null) continue;
      found.times[count] = time;
      found.offsets[count] = offsetOf(cells, column);
      count++;
    }
  }
  try {
    return dateRows(orderByTime(someOf(found, count))).frequency;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
