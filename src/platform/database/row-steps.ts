/**
 * The rows of one statement that reads or writes many. More would hold the event loop for too long, because PGlite runs
 * in this thread. Statements of PGlite follow each other without a turn of the event loop, so callers wait for one
 * between them.
 */
export const READ_ROWS = 300;
const WRITE_ROWS = 100;

/** Divides rows that are written into those of one statement each. */
export function* splitRows<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += WRITE_ROWS) yield rows.slice(from, from + WRITE_ROWS);
}
