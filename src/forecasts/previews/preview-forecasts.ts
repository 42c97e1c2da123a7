import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account, Guest } from '../../access/index.ts';
import { barEnd } from '../../calendar/index.ts';
import { Fault, type ForecastPreview } from '../../contract/index.ts';
import { type Prediction, quantileKey } from '../../engine/index.ts';
import { readSnapshot, requireAllowedLicense, soleColumn } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { type ForecastRow, isOwner } from '../find-forecast.ts';
import { authorizeRows, ROW_ACCESS_COLUMNS } from '../history/authorize-rows.ts';
import { readVisibleWorkspaces } from '../list-forecasts.ts';
import { nameForecast } from '../name-forecast.ts';
import type { ForecastTables } from '../tables.ts';
import { choosePreviewLevels, strideOf, thinHistory, thinSteps } from './thin-rows.ts';

type Context = Pick<ForecastContext, 'database' | 'clock' | 'sources' | 'licenses' | 'cursorKey'>;
type Preview = z.input<typeof ForecastPreview>;

const COLUMNS = [...ROW_ACCESS_COLUMNS, 'snapshot_id'] as const;

type PreviewedRow = Pick<ForecastRow, (typeof COLUMNS)[number]> & {
  readonly predictions: readonly Prediction[] | null;
};

/** Returns previews of those of the forecasts that the caller may read, by their ids. */
export async function previewForecasts(
  context: Context,
  principal: Account | Guest,
  ids: readonly string[],
): Promise<Record<string, Preview>> {
  const rows = await context.database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(COLUMNS)
    // Without the members, which are most of a result.
    .select(sql<readonly Prediction[] | null>`forecast.result -> 'predictions'`.as('predictions'))
    .where('id', 'in', ids)
    .execute();
  const canRead = await createReadCheck(context, principal);
  const previews: Record<string, Preview> = {};
  for (const row of rows.filter(canRead)) previews[row.id] = await previewForecast(context, principal, row);
  return previews;
}

/** Reads the memberships of the caller. Returns the function that decides whether it may read a forecast. */
async function createReadCheck(context: Context, principal: Account | Guest): Promise<(row: PreviewedRow) => boolean> {
  const { unrestricted, restricted, selectedIds } = await readVisibleWorkspaces(context, principal);
  return (row) => {
    const { id, visibility, workspace_id } = row;
    if (visibility === 'public') return true;
    if (workspace_id === null) return isOwner(principal, row);
    const isRestricted = restricted.includes(workspace_id);
    if (!isRestricted && !unrestricted.includes(workspace_id)) return false;
    if (visibility === 'private') return isOwner(principal, row);
    return !isRestricted || selectedIds.includes(id);
  };
}

async function previewForecast(context: Context, principal: Account | Guest, row: PreviewedRow): Promise<Preview> {
  const { settings } = row;
  const predictions = row.predictions ?? [];
  const last = predictions.at(-1)?.timestamp;
  const stride = strideOf(settings.horizon);
  const steps = thinSteps(predictions, stride);
  const { median, interval } = choosePreviewLevels(settings.quantiles);
  const valuesAt = (level: number | undefined | null): number[] =>
    level === undefined || level === null
      ? []
      : steps.map(({ quantiles }) => quantiles[quantileKey(level)]).filter((value) => value !== undefined);
  return {
    subject: nameForecast({ title: null, settings }),
    until: last ?? null,
    ends_at: last === undefined ? null : new Date(barEnd(settings.cadence, Date.parse(last))).toISOString(),
    history: await readHistory(context, principal, row, stride),
    median: valuesAt(median),
    low: valuesAt(interval?.[0]),
    high: valuesAt(interval?.[1]),
  };
}

/** Returns the last rows of a forecast; none if they were removed or if the caller may not read them. */
async function readHistory(
  context: Context,
  principal: Account | Guest,
  row: PreviewedRow,
  stride: number,
): Promise<number[]> {
  try {
    await authorizeRows(context, principal, row);
    const snapshot = await readSnapshot(context, row.snapshot_id);
    if (snapshot === null) return [];
    requireAllowedLicense(context.licenses, snapshot.about);
    return thinHistory(soleColumn(snapshot.table), stride);
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}
