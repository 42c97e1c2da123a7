import type { Account, Guest } from '../../access/index.ts';
import { readSnapshot, requireAllowedLicense, soleColumn } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { frozenRowsRemoved } from '../faults.ts';
import { findForecast } from '../find-forecast.ts';
import { authorizeRows } from './authorize-rows.ts';

type Context = Pick<ForecastContext, 'database' | 'clock' | 'sources' | 'licenses'>;

/** Returns the latest rows that a forecast was made from, as the API shows them. Throws a fault if the caller may not read them. */
export async function readHistory(context: Context, principal: Account | Guest, idOrSlug: string, limit: number) {
  const forecast = await findForecast(context, principal, idOrSlug, 'forecast.read');
  await authorizeRows(context, principal, forecast);
  const snapshot = await readSnapshot(context, forecast.snapshot_id);
  if (snapshot === null) throw frozenRowsRemoved(forecast.removed_snapshot?.removed_at ?? '');
  const { about, table } = snapshot;
  requireAllowedLicense(context.licenses, about);
  const { timestamps } = table;
  const values = soleColumn(table);
  const first = Math.max(0, timestamps.length - limit);
  const { name } = (about.license ?? {}) as { readonly name?: unknown };
  return {
    forecast_id: forecast.id,
    snapshot_id: snapshot.id,
    title: readText(about.title),
    units: readText(about.units),
    publisher: readText(about.publisher),
    license: readText(name),
    count: timestamps.length - first,
    truncated: first > 0,
    rows: Array.from(timestamps.subarray(first), (time, i) => {
      const value = values[first + i] ?? Number.NaN;
      return { timestamp: new Date(time).toISOString(), value: Number.isFinite(value) ? value : null };
    }),
  };
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
