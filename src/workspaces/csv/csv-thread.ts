// Entry point of the threads that read CSV files, so that the thread that answers requests is not blocked.

import { Moved, type Session, serveSessions } from '../../platform/threads/serve-sessions.ts';
import type { CsvTask, CsvTaskInput, CsvTaskOutput } from './csv-threads.ts';
import { FileReader } from './reading/file-reader.ts';
import { readCells } from './series/read-cells.ts';

serveSessions<CsvTask, CsvTaskInput, CsvTaskOutput>((task) =>
  task.kind === 'file' ? readFile(new FileReader(task.declared)) : (bytes) => moveCells(readCells(bytes, task.columns)),
);

function readFile(reader: FileReader): Session<CsvTaskInput, CsvTaskOutput> {
  return (bytes) => {
    const part = bytes === null ? reader.end() : reader.push(bytes);
    return new Moved(
      part,
      part.chunks.map((chunk) => chunk.bytes.buffer),
    );
  };
}

function moveCells(rows: ReturnType<typeof readCells>): Moved<CsvTaskOutput> {
  return new Moved<CsvTaskOutput>(rows, [
    rows.times.buffer as ArrayBuffer,
    rows.values.buffer as ArrayBuffer,
    rows.lines.buffer as ArrayBuffer,
    rows.offsets.buffer as ArrayBuffer,
  ]);
}
