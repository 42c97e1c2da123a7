import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BarFrequency } from '../../calendar/index.ts';
import { compileOnce, type Executor } from '../../platform/index.ts';
import type { SeriesKey } from '../providers/provider.ts';
import { chunkStart } from './bar-tables.ts';
import { DamagedChunkError, decodeChunk } from './chunk-codec.ts';
import type { Range } from './coverage.ts';
import type { LocatedDrop } from './dropped-rows.ts';
import { type Chunk, NO_SERIES, type StoredSeries } from './stored-series.ts';
import type { BarChunkTable, BarSeriesTable, StoreTables } from './tables.ts';

/** The names that identify a stored series. */
export interface SeriesName extends SeriesKey {
  readonly provider: string;
}

type SeriesRow = Pick<BarSeriesTable, 'id' | 'symbol' | 'version' | 'coverage' | 'used_at'>;
type ChunkRow = Omit<BarChunkTable, 'series_id' | 'rows'>;
type Nullable<Row> = { [Column in keyof Row]: null };
/** A chunk with its series. The columns of the series have values in one of its rows only. */
export type SeriesChunkRow = (SeriesRow | Nullable<SeriesRow>) & (ChunkRow | Nullable<ChunkRow>);

/** Selects a column of the series in one row only, because parsing it takes longer than sending it. */
function onFirst(column: keyof SeriesRow): RawBuilder<unknown> {
  return sql`CASE WHEN coalesce(c.place, 1) = 1 THEN ${sql.ref(`s.${column}`)} END AS ${sql.ref(column)}`;
}

interface LoadValues extends SeriesName {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/**
 * Selects a series with the chunks of its latest bars before an instant. The newest chunk is not counted, because it may
 * have only later bars.
 */
const selectSeries = compileOnce((db: Kysely<StoreTables>, values: LoadValues) =>
  compilable<SeriesChunkRow>(
    db,
    sql`
    SELECT ${onFirst('id')}, ${onFirst('version')}, ${onFirst('coverage')}, ${onFirst('used_at')},
      c.starts_at, c.data, c.dropped
    FROM bar_series AS s LEFT JOIN LATERAL (
      SELECT starts_at, data, dropped, place FROM (
        SELECT starts_at, data, dropped, row_number() OVER newest_first AS place,
          sum(rows) OVER newest_first - rows - first_value(rows) OVER newest_first AS newer_rows
        FROM bar_chunk WHERE series_id = s.id AND starts_at >= ${values.from} AND starts_at < ${values.to}
        WINDOW newest_first AS (ORDER BY starts_at DESC)
      ) AS counted WHERE newer_rows < ${values.limit}::bigint
    ) AS c ON true
    WHERE s.provider = ${values.provider} AND s.symbol = ${values.symbol} AND s.frequency = ${values.frequency}
      AND s.adjustment = ${values.adjustment} AND s.side = ${values.side}`,
  ),
);

function compilable<Row>(db: Kysely<StoreTables>, statement: RawBuilder<unknown>) {
  return { compile: () => (statement as RawBuilder<Row>).compile(db) };
}

/** Returns a series with the chunks of the latest `limit` bars of a range, in one statement. */
export async function loadSeries(
  executor: Executor,
  name: SeriesName,
  { from, to }: Range,
  limit: number,
): Promise<StoredSeries> {
  const { provider, symbol, frequency, adjustment, side } = name;
  const rows = await selectSeries(executor, {
    provider,
    symbol,
    frequency,
    adjustment,
    side,
    from: new Date(chunkStart(frequency, from)),
    to: new Date(to),
    limit,
  });
  return seriesOf(rows, frequency);
}

/**
 * Returns a series with all chunks of a range, besides those that were already loaded. Returns null if the series was
 * changed or removed since it was loaded.
 */
export async function loadChunks(
  executor: Executor,
  series: StoredSeries,
  frequency: BarFrequency,
  { from, to }: Range,
): Promise<StoredSeries | null> {
  const loaded = [...series.chunks.keys()].map((start) => new Date(start));
  const { rows } = await sql<SeriesChunkRow>`
    SELECT s.id, s.version, s.coverage, s.used_at, c.starts_at, c.data, c.dropped
    FROM bar_series AS s LEFT JOIN bar_chunk AS c ON c.series_id = s.id
      AND c.starts_at >= ${new Date(chunkStart(frequency, from))} AND c.starts_at < ${new Date(to)}
      AND c.starts_at <> ALL (${loaded}::timestamptz[])
    WHERE s.id = ${series.id} AND s.version = ${series.version}`.execute(executor.query<StoreTables>());
  if (rows.length === 0) return null;
  return { ...series, chunks: new Map([...series.chunks, ...seriesOf(rows, frequency).chunks]) };
}

/** Returns the daily series of many symbols with all chunks of a range, by symbol. Damaged series are left out. */
export async function loadDays(
  executor: Executor,
  { provider, adjustment, side }: Pick<SeriesName, 'provider' | 'adjustment' | 'side'>,
  symbols: readonly string[],
  { from, to }: Range,
): Promise<ReadonlyMap<string, readonly SeriesChunkRow[]>> {
  const { rows } = await sql<SeriesChunkRow>`
    SELECT s.symbol, s.id, s.version, s.coverage, s.used_at, c.starts_at, c.data, c.dropped
    FROM bar_series AS s LEFT JOIN bar_chunk AS c ON c.series_id = s.id
      AND c.starts_at >= ${new Date(chunkStart('1D', from))} AND c.starts_at < ${new Date(to)}
    WHERE s.provider = ${provider} AND s.symbol = ANY (${[...symbols]}::text[]) AND s.frequency = '1D'
      AND s.adjustment = ${adjustment} AND s.side = ${side}`.execute(executor.query<StoreTables>());
  return Map.groupBy(rows, ({ symbol }) => symbol as string);
}

/** Restores a series from its rows. Throws a `DamagedChunkError` if a chunk is damaged. */
export function seriesOf(rows: readonly SeriesChunkRow[], frequency: BarFrequency): StoredSeries {
  const row = rows.find(({ id }) => id !== null) as SeriesRow | undefined;
  if (row === undefined) return NO_SERIES;
  const chunks = new Map<number, Chunk>();
  for (const { starts_at, data, dropped } of rows) {
    if (starts_at !== null) chunks.set(starts_at.getTime(), readChunk(starts_at.getTime(), data, dropped, frequency));
  }
  const { id, version, coverage, used_at } = row;
  return { id, version, coverage, chunks, usedAt: used_at.getTime() };
}

function readChunk(start: number, data: Uint8Array, dropped: ChunkRow['dropped'], frequency: BarFrequency): Chunk {
  const bars = decodeChunk(data);
  const { timestamps } = bars;
  let before = start - 1;
  for (let i = 0; i < timestamps.length; i++) {
    const time = timestamps[i] as number;
    if (!(time > before)) throw new DamagedChunkError('The bars of the chunk are not in order.');
    before = time;
  }
  const last = timestamps.at(-1);
  if (last !== undefined && chunkStart(frequency, last) !== start) {
    throw new DamagedChunkError('The chunk has bars of another period.');
  }
  return { bars, dropped: (dropped ?? []) as readonly LocatedDrop[], size: chunkBytes(data, dropped) };
}

/** The approximate size of a row besides its data. */
const ROW_BYTES = 100;

/** Returns the stored size of a chunk. */
export function chunkBytes(data: Uint8Array, dropped: ChunkRow['dropped']): number {
  return ROW_BYTES + data.byteLength + (dropped === null ? 0 : JSON.stringify(dropped).length);
}
