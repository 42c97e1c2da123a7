import { Fault } from '../../../contract/index.ts';
import type { Executor } from '../../../platform/index.ts';
import { chooseTimes } from '../series/choose-columns.ts';
import { frequencyOf } from '../series/frequency-of.ts';
import { timeOf } from '../series/read-cells.ts';
import { splitRow } from '../storage/pack-rows.ts';
import { readChunks } from '../storage/read-chunks.ts';
import type { StoredFile } from './store-rows.ts';

/** The frequency of the rows of a file by a column of times; null where they have none, or a time comes twice. */
export async function guessFrequency(
  executor: Executor,
  fileId: string,
  file: Pick<StoredFile, 'rows' | 'columns'>,
  timeField: string | null,
): Promise<string | null> {
  if (timeField === null) return null;
  const column = chooseTimes(file.columns, timeField);
  const times = new Float64Array(file.rows);
  let count = 0;
  for await (const { rows } of readChunks(executor, { id: fileId, rows: file.rows })) {
    for (const row of rows) {
      const time = timeOf(splitRow(row), column);
      if (time !== null) times[count++] = time;
    }
  }
  const ordered = times.subarray(0, count).sort();
  try {
    return frequencyOf({ times: ordered, lines: new Uint32Array(count) });
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
