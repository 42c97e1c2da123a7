import type { SourceReference } from '../../contract/index.ts';
import { freeze, type SeriesTable, type SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import type { Evidence } from '../tables.ts';

/** The largest number of rows in the evidence: the observation and the rows before it. */
export const MAX_EVIDENCE_ROWS = 30;

/** The row that decides a rule, with the rows that were read with it. */
export interface Observation {
  readonly timestamp: number;
  readonly value: number;
  readonly rows: SourceRows;
}

/** Returns the row with this timestamp; null if there is no such row or it has no value. */
export function findObservation(rows: SourceRows, timestamp: number): Observation | null {
  const { table, valueField } = rows;
  const index = table.timestamps.indexOf(timestamp);
  const value = index === -1 ? undefined : table.columns[valueField]?.[index];
  if (value === undefined || !Number.isFinite(value)) return null;
  return { timestamp, value, rows };
}

/**
 * Freezes the rows of an observation. If the series is public, the snapshot can be fetched like any other snapshot of
 * observations; the snapshot of a workspace file cannot.
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
    truncated: rows.table.timestamps.length > MAX_EVIDENCE_ROWS,
  };
  const { id } = await freeze(context, { about, table: lastRows(rows.table, MAX_EVIDENCE_ROWS) });
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
