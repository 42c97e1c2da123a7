import type { Executor } from '../../../platform/index.ts';
import { openSeriesSession } from '../csv-threads.ts';
import { readChunks } from '../row-chunks.ts';
import { assignRowTimestamps, type DatedRows } from './assign-row-timestamps.ts';
import { MAX_ROWS_READ_HERE, movableBuffers } from './cell-reader.ts';
import { orderParts, withoutMissing } from './order-rows.ts';
import { type CollectedRows, type ReadColumns, readCells } from './read-cells.ts';

/**
 * Reads the series of two columns of a file, ordered by time and dated by its frequency. A row without a value is left
 * out. Throws a fault that names the line if a value has no time or is too large, or if two rows have the same time.
 * Long files are read and ordered in another thread.
 */
export async function readSeries(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
  columns: ReadColumns,
  signal?: AbortSignal,
): Promise<DatedRows> {
  if (file.rows <= MAX_ROWS_READ_HERE) {
    const parts: CollectedRows[] = [];
    for await (const { bytes } of readChunks(executor, file)) parts.push(readCells(bytes, columns));
    return dateParts(parts, columns);
  }
  const session = openSeriesSession(columns);
  try {
    for await (const { bytes } of readChunks(executor, file)) {
      signal?.throwIfAborted();
      await session.call(bytes, movableBuffers(bytes));
    }
    const series = await session.call(null);
    if (series === null) throw new Error('The thread returned no series.');
    return series;
  } finally {
    session.close();
  }
}

/** Orders the rows of all chunks of a file and dates them. Without a column of values, no row is left out. */
export function dateParts(parts: readonly CollectedRows[], { value }: ReadColumns): DatedRows {
  const ordered = orderParts(parts);
  return assignRowTimestamps(value === null ? ordered : withoutMissing(ordered));
}
