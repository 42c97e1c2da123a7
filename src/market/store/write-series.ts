import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/index.ts';
import { encodeChunk } from './chunk-codec.ts';
import { chunkBytes, type SeriesName } from './load-series.ts';
import type { Chunk, MergedSeries, StoredSeries } from './stored-series.ts';
import type { BarChunkTable, StoreTables } from './tables.ts';

export interface WrittenSeries {
  /** The series with its new version. */
  readonly series: StoredSeries;
  /** By how many bytes the store grew. */
  readonly addedBytes: number;
}

interface ChunkWrite extends Omit<BarChunkTable, 'series_id'> {
  readonly size: number;
  readonly before: number;
}

interface SeriesWrite {
  readonly name: SeriesName;
  readonly merged: MergedSeries;
  readonly chunks: readonly ChunkWrite[];
  readonly addedBytes: number;
}

/** The number of chunks in one statement. */
const BATCH = 500;
/** The number of series that are compressed without a pause. */
const STEP = 20;

/**
 * Writes merged series in one transaction. Each is written only if its version is still the one that was loaded.
 *
 * @returns for each series, in order, what was written; null for a series that another process has changed
 */
export async function writeSeries(
  database: Database,
  series: readonly { readonly name: SeriesName; readonly merged: MergedSeries }[],
  now: number,
): Promise<readonly (WrittenSeries | null)[]> {
  const writes: SeriesWrite[] = [];
  for (const { name, merged } of series) {
    if (writes.length % STEP === STEP - 1) await yieldToEventLoop();
    writes.push(prepare(name, merged));
  }
  return database.transaction(async (tx) => {
    const ids = await writeRows(tx, writes, now);
    const written = writes.map((write, i) => ({ ...write, id: ids[i] ?? null })).filter(({ id }) => id !== null);
    const replaced = written.filter(({ merged }) => merged.isReplaced && merged.series.id !== null);
    const emptied = written.map(({ id, chunks }) => ({
      id,
      starts: chunks.filter(({ rows, dropped }) => rows === 0 && dropped === null).map(({ starts_at }) => starts_at),
    }));
    if (replaced.length > 0) {
      const all = replaced.map(({ id }) => id);
      await sql`DELETE FROM bar_chunk WHERE series_id = ANY (${all}::bigint[])`.execute(tx.query<StoreTables>());
    }
    for (const { id, starts } of emptied.filter(({ starts }) => starts.length > 0)) {
      await sql`DELETE FROM bar_chunk WHERE series_id = ${id} AND starts_at = ANY (${starts}::timestamptz[])`.execute(
        tx.query<StoreTables>(),
      );
    }
    await upsertChunks(
      tx,
      written.flatMap(({ id, chunks }) =>
        chunks
          .filter(({ rows, dropped }) => rows > 0 || dropped !== null)
          .map(({ starts_at, rows, data, dropped }) => ({ series_id: id as number, starts_at, rows, data, dropped })),
      ),
    );
    return writes.map((write, i) => {
      const id = ids[i];
      return id === undefined ? null : { series: seriesAfter(write, id), addedBytes: write.addedBytes };
    });
  });
}

function seriesAfter({ merged: { series }, chunks: written }: SeriesWrite, id: number): StoredSeries {
  const chunks = new Map(series.chunks);
  for (const { starts_at, size } of written) {
    const start = starts_at.getTime();
    chunks.set(start, { ...(chunks.get(start) as Chunk), size });
  }
  return { ...series, id, version: series.version + 1, chunks };
}

/** Compresses the changed chunks, before the transaction begins. */
function prepare(name: SeriesName, merged: MergedSeries): SeriesWrite {
  const chunks = merged.changed.map((start): ChunkWrite => {
    const { bars, dropped, size: before } = merged.series.chunks.get(start) as Chunk;
    const rows = bars.timestamps.length;
    const data = encodeChunk(bars);
    const drops = dropped.length === 0 ? null : dropped;
    const size = rows === 0 && drops === null ? 0 : chunkBytes(data, drops);
    return { starts_at: new Date(start), rows, data, dropped: drops, size, before };
  });
  const addedBytes = chunks.reduce((sum, { size, before }) => sum + size - (merged.isReplaced ? 0 : before), 0);
  return { name, merged, chunks, addedBytes };
}

/** Inserts new series and updates stored ones. Returns their ids; undefined for a series that was changed. */
async function writeRows(
  tx: Transaction,
  writes: readonly SeriesWrite[],
  now: number,
): Promise<readonly (number | undefined)[]> {
  const rows = writes.map(({ name, merged, addedBytes }, place) => {
    const { provider, symbol, frequency, adjustment, side } = name;
    const { id, version, coverage } = merged.series;
    return {
      place,
      id,
      version,
      ...{ provider, symbol, frequency, adjustment, side },
      coverage,
      used_at: new Date(now),
      bytes: addedBytes,
      is_replaced: merged.isReplaced,
    };
  });
  const [stored, added] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
  const ids: (number | undefined)[] = [];
  if (stored.length > 0) {
    const { rows: updated } = await sql<{ id: number; place: number }>`
      UPDATE bar_series AS s SET version = s.version + 1, coverage = v.coverage,
        used_at = greatest(s.used_at, v.used_at),
        bytes = CASE WHEN v.is_replaced THEN 0 ELSE s.bytes END + v.bytes
      FROM (SELECT * FROM ${recordsOf(stored)} ORDER BY id) AS v
      WHERE s.id = v.id AND s.version = v.version
      RETURNING s.id, v.place`.execute(tx.query<StoreTables>());
    for (const { id, place } of updated) ids[place] = id;
  }
  if (added.length > 0) {
    const { rows: inserted } = await sql<{ id: number; symbol: string }>`
      INSERT INTO bar_series (provider, symbol, frequency, adjustment, side, version, coverage, used_at, bytes)
      SELECT provider, symbol, frequency, adjustment, side, version + 1, coverage, used_at, bytes
      FROM ${recordsOf(added)} ORDER BY symbol
      ON CONFLICT (provider, symbol, frequency, adjustment, side) DO NOTHING
      RETURNING id, symbol`.execute(tx.query<StoreTables>());
    // The series of one write have the same names except for the symbol.
    const places = new Map(added.map(({ symbol, place }) => [symbol, place]));
    for (const { id, symbol } of inserted) ids[places.get(symbol) as number] = id;
  }
  return ids;
}

function recordsOf(rows: readonly object[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(place int, id bigint, version int, provider text,
    symbol text, frequency text, adjustment text, side text, coverage jsonb, used_at timestamptz, bytes bigint,
    is_replaced boolean)`;
}

async function upsertChunks(tx: Transaction, chunks: readonly BarChunkTable[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += BATCH) {
    const values = chunks.slice(from, from + BATCH).map(({ dropped, ...row }) => ({
      ...row,
      dropped: dropped === null ? null : sql`${JSON.stringify(dropped)}::jsonb`,
    }));
    await tx
      .query<StoreTables>()
      .insertInto('bar_chunk')
      .values(values as never)
      .onConflict((conflict) =>
        conflict.columns(['series_id', 'starts_at']).doUpdateSet(({ ref }) => ({
          rows: ref('excluded.rows'),
          data: ref('excluded.data'),
          dropped: ref('excluded.dropped'),
        })),
      )
      .execute();
  }
}

/** Removes a series. */
export async function deleteSeries(database: Database, name: SeriesName): Promise<void> {
  const { provider, symbol, frequency, adjustment, side } = name;
  await sql`DELETE FROM bar_series WHERE provider = ${provider} AND symbol = ${symbol} AND frequency = ${frequency}
    AND adjustment = ${adjustment} AND side = ${side}`.execute(database.query<StoreTables>());
}

/** Records when a series was used. It does not change the version, so that concurrent writes succeed. */
export async function recordUse(database: Database, id: number, now: number): Promise<void> {
  await database
    .query<StoreTables>()
    .updateTable('bar_series')
    .set({ used_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}
