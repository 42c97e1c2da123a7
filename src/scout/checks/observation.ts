import type { Cadence } from '../../calendar/index.ts';
import type { SourceReference } from '../../contract/index.ts';
import { freeze, type SeriesTable, type SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import type { Evidence } from '../tables.ts';

/** Rows that are kept as evidence: the observation and some before it. */
export const ROWS_KEPT = 30;

/** The row that decides, with the rows that it was read with. */
export interface Observation {
  readonly timestamp: number;
  readonly value: number;
  readonly rows: SourceRows;
  readonly cadence: Cadence;
}

/** The row with this timestamp; null where there is none with a value. */
export function observationAt(rows: SourceRows, timestamp: number): Observation | null {
  const { table, valueField, cadence } = rows;
  const at = table.timestamps.indexOf(timestamp);
  const value = at === -1 ? undefined : table.columns[valueField]?.[at];
  if (value === undefined || !Number.isFinite(value)) return null;
  return { timestamp, value, rows, cadence };
}

/**
 * Freezes what an observation was read with. Where anyone may read the series, the snapshot can be asked for like that of
 * any observations.
 */
export async function freezeEvidence(context: ScoutContext, observation: Observation): Promise<Evidence> {
  const { timestamp, value, rows } = observation;
  const source = rows.about.source as SourceReference;
  const isPrivate = source.type === 'workspace_csv';
  const about = {
    ...rows.about,
    kind: isPrivate ? 'resolution_evidence' : 'observations',
    provider: rows.provider,
    value_field: rows.valueField,
    truncated: rows.table.timestamps.length > ROWS_KEPT,
  };
  const { id } = await freeze(context, { about, table: lastRows(rows.table, ROWS_KEPT) });
  return {
    text: null,
    observation: { timestamp: new Date(timestamp).toISOString(), value },
    source,
    provider: rows.provider,
    snapshot_id: id,
  };
}

function lastRows({ timestamps, columns }: SeriesTable, count: number): SeriesTable {
  return {
    timestamps: timestamps.slice(-count),
    columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice(-count)])),
  };
}
