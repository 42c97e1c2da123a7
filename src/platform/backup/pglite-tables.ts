import type { PGlite } from '@electric-sql/pglite';
import { engineOf } from '../database/engine.ts';
import type { Database } from '../database/index.ts';
import { COPY_HEADER, COPY_TRAILER, RowCutter } from './copied-rows.ts';
import { listColumns, type TableAccess, type TableShape } from './table-access.ts';

/** PGlite copies to and from memory, so a table is copied in pieces of about this size. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** More than the rows that fit into a page. */
const ROWS_PER_PAGE = 292;
const CHECKPOINT_BYTES = 64 * 1024 * 1024;

/**
 * Reads and fills the tables of an embedded database that only this process uses. It has no transaction: PGlite holds all
 * changes of one in its write-ahead log.
 */
export function accessPgliteTables(database: Database): TableAccess {
  const engine = engineOf(database);
  if (engine.kind !== 'pglite') throw new TypeError('The database is not an embedded one.');
  const { pglite } = engine;
  return {
    kind: 'pglite',
    executor: database,
    runScript: async (text) => {
      await pglite.exec(text);
    },
    readRows: (table) => readRows(pglite, table),
    writeRows: (table, pieces) => writeRows(pglite, table, pieces),
    commit: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function* readRows(pglite: PGlite, table: TableShape): AsyncGenerator<Buffer> {
  for (const part of table.parts) {
    const pages = await pglite.query<{ pages: number }>(
      `SELECT (pg_relation_size('${part.replaceAll("'", "''")}') / current_setting('block_size')::int)::float8 AS pages`,
    );
    const end = (pages.rows[0]?.pages ?? 0) * ROWS_PER_PAGE;
    let step = ROWS_PER_PAGE;
    for (let at = 0; at < end; ) {
      const until = Math.min(end, at + step);
      const rows = await readPart(pglite, table, part, at, until);
      if (rows.length > 0) yield rows;
      at = until;
      // Pages can hold anything from rows of a few bytes to rows whose large values are stored elsewhere.
      if (rows.length > PIECE_BYTES) step = Math.max(1, Math.floor(step / 4));
      else if (rows.length < PIECE_BYTES / 4) step *= 2;
    }
  }
}

async function readPart(pglite: PGlite, table: TableShape, part: string, from: number, until: number): Promise<Buffer> {
  const { blob } = await pglite.query(
    `COPY (SELECT ${listColumns(table)} FROM ${part} WHERE ctid >= ${placeAt(from)} AND ctid < ${placeAt(until)})
     TO '/dev/blob' WITH (FORMAT binary)`,
  );
  const cutter = new RowCutter();
  const rows = cutter.cut(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0)));
  cutter.requireEnd();
  return rows;
}

function placeAt(position: number): string {
  return `'(${Math.floor(position / ROWS_PER_PAGE)},${position % ROWS_PER_PAGE})'::tid`;
}

async function writeRows(pglite: PGlite, table: TableShape, pieces: AsyncIterable<Buffer>): Promise<void> {
  let waiting: Buffer[] = [];
  let size = 0;
  let sinceCheckpoint = 0;
  const flush = async () => {
    if (size === 0) return;
    const blob = new Blob([COPY_HEADER, ...waiting, COPY_TRAILER] as Buffer<ArrayBuffer>[]);
    sinceCheckpoint += size;
    waiting = [];
    size = 0;
    await pglite.query(`COPY ${table.sql} (${listColumns(table)}) FROM '/dev/blob' WITH (FORMAT binary)`, [], { blob });
    if (sinceCheckpoint < CHECKPOINT_BYTES) return;
    // PGlite has no process that limits the write-ahead log.
    await pglite.exec('CHECKPOINT');
    sinceCheckpoint = 0;
  };
  for await (const piece of pieces) {
    // The memory of a piece is not reused, so it need not be copied.
    waiting.push(piece);
    size += piece.length;
    if (size >= PIECE_BYTES) await flush();
  }
  await flush();
}
