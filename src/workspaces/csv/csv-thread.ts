// Entry point of the threads that read CSV files, so that the thread that answers requests is not blocked.

import { Moved, type Session, serveSessions } from '../../platform/threads/serve-sessions.ts';
import type { CsvTask, CsvTaskInput, CsvTaskOutput } from './csv-threads.ts';
import { FileReader } from './reading/file-reader.ts';
import { type CollectedRows, type ReadColumns, readCells } from './series/read-cells.ts';
import { dateParts } from './series/read-series.ts';

serveSessions<CsvTask, CsvTaskInput, CsvTaskOutput>((task) => {
  if (task.kind === 'file') return readFile(new FileReader(task.declared));
  if (task.kind === 'series') return collectSeries(task.columns);
  return (bytes) => {
    const rows = readCells(bytes, task.columns);
    return new Moved<CsvTaskOutput>(rows, buffersOf(rows));
  };
});

function readFile(reader: FileReader): Session<CsvTaskInput, CsvTaskOutput> {
  return (bytes) => {
    const part = bytes === null ? reader.end() : reader.push(bytes);
    return new Moved(
      part,
      part.chunks.map((chunk) => chunk.bytes.buffer),
    );
  };
}

function collectSeries(columns: ReadColumns): Session<CsvTaskInput, CsvTaskOutput> {
  const parts: CollectedRows[] = [];
  return (bytes) => {
    if (bytes === null) {
      const series = dateParts(parts, columns);
      return new Moved<CsvTaskOutput>(series, buffersOf(series.rows));
    }
    parts.push(readCells(bytes, columns));
    return null;
  };
}

function buffersOf({ times, values, lines, offsets }: CollectedRows): ArrayBuffer[] {
  return [times, values, lines, offsets].map(({ buffer }) => buffer as ArrayBuffer);
}
