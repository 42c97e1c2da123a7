import { availableParallelism } from 'node:os';
import { ThreadPool, type ThreadSession } from '../../platform/index.ts';
import type { DeclaredCsv } from './reading/csv-reader.ts';
import type { ReadPart } from './reading/file-reader.ts';
import type { DatedRows } from './series/assign-row-timestamps.ts';
import type { CollectedRows, ReadColumns } from './series/read-cells.ts';

/** What a session of a thread does: read the bytes of a file, the cells of stored rows, or all rows of a series. */
export type CsvTask =
  | { readonly kind: 'file'; readonly declared: DeclaredCsv }
  | { readonly kind: 'cells'; readonly columns: ReadColumns }
  | { readonly kind: 'series'; readonly columns: ReadColumns };

/** Bytes to read; null at the end of a file. */
export type CsvTaskInput = Uint8Array<ArrayBuffer> | null;
export type CsvTaskOutput = ReadPart | CollectedRows | DatedRows | null;

const MAX_THREADS = 2;

/** All files of a process are read in the same threads. They end by themselves when there is nothing to read. */
const threads = new ThreadPool<CsvTask, CsvTaskInput, CsvTaskOutput>(new URL('./csv-thread.ts', import.meta.url), {
  maxThreads: Math.min(MAX_THREADS, availableParallelism()),
});

/** Opens a session that reads the bytes of a file. */
export function openFileSession(declared: DeclaredCsv): ThreadSession<CsvTaskInput, ReadPart> {
  return threads.open({ kind: 'file', declared }) as ThreadSession<CsvTaskInput, ReadPart>;
}

/** Opens a session that reads the cells of stored rows. */
export function openCellSession(columns: ReadColumns): ThreadSession<CsvTaskInput, CollectedRows> {
  return threads.open({ kind: 'cells', columns }) as ThreadSession<CsvTaskInput, CollectedRows>;
}

/** Opens a session that keeps the rows of each chunk and returns the series at the end of the file. */
export function openSeriesSession(columns: ReadColumns): ThreadSession<CsvTaskInput, DatedRows | null> {
  return threads.open({ kind: 'series', columns }) as ThreadSession<CsvTaskInput, DatedRows | null>;
}
