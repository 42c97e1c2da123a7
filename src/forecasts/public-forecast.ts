import { sql } from 'kysely';
import { ANONYMOUS } from '../access/index.ts';
import { Fault } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { type ReceiptView, readReceipt } from '../provenance/index.ts';
import { readSnapshot, type Snapshot, soleColumn } from '../snapshots/index.ts';
import type { ForecastContext } from './context.ts';
import type { ForecastRow } from './find-forecast.ts';
import { requireAllowedLicenses } from './forecast-licenses.ts';
import { readForecastProof } from './forecast-proof.ts';
import { formatHorizon, nameForecast } from './name-forecast.ts';
import { type Outcome, readOutcome } from './outcomes/read-outcome.ts';
import { authorizeOutcome } from './outcomes/view-outcome.ts';
import type { ForecastTables } from './tables.ts';

type Context = Pick<ForecastContext, 'database' | 'clock' | 'checkpoints' | 'licenses' | 'stamps' | 'sources'>;

/** A public forecast as one request finds it. */
export interface FoundPublicForecast {
  readonly id: string;
  readonly slug: string;
  readonly isCompleted: boolean;
  /** Changes with everything that its page shows. */
  readonly version: string;
}

/** The rows that became known after a forecast was made. */
export interface PublicOutcome extends Pick<Outcome, 'status' | 'revised' | 'rows' | 'metrics'> {
  /** Whether every caller may see the rows. Otherwise there are no rows and no metrics here. */
  readonly isPublic: boolean;
}

/** Everything that a page shows of a public forecast. */
export interface PublicForecast {
  /** The version of what was read. */
  readonly version: string;
  readonly forecast: ForecastRow;
  /** The title or, without one, the source and the horizon. */
  readonly name: string;
  /** The source and the horizon, such as "^GSPC, 30 sessions". */
  readonly subject: string;
  /** Such as "30 sessions". */
  readonly horizon: string;
  /** The description of the rows; empty if the snapshot was removed. */
  readonly about: Snapshot['about'];
  /** The rows that the forecast was made from; null if they are not public. */
  readonly history: { readonly timestamps: Float64Array; readonly values: Float64Array } | null;
  /** Null until the forecast has completed. */
  readonly outcome: PublicOutcome | null;
  /** Null until the forecast has completed. */
  readonly receipt: ReceiptView | null;
}

/**
 * Returns the forecast with this slug if every caller may see it, even one without a credential: it is public, it
 * does not belong to a guest, and no license of its rows or models is denied. Otherwise returns null, whatever the reason.
 */
export async function findPublicForecast(context: Context, slug: string): Promise<FoundPublicForecast | null> {
  const found = await selectPublic(context.database)
    .select(['id', 'slug', 'title', 'status', 'snapshot_id', 'checkpoints', 'content_cid'])
    .select(OUTCOME_VERSION.as('outcome_version'))
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (found === undefined || !(await areLicensesAllowed(context, found))) return null;
  const { id, status } = found;
  const version = versionOf(found, await readForecastReceipt(context, found));
  return { id, slug, isCompleted: status === 'completed', version };
}

type VersionedRow = Pick<ForecastRow, 'title' | 'status' | 'content_cid'> & { readonly outcome_version: string | null };

function versionOf({ title, status, content_cid, outcome_version }: VersionedRow, receipt: ReceiptView | null): string {
  return JSON.stringify([title, status, content_cid, outcome_version, receipt]);
}

async function readForecastReceipt(
  { database, stamps }: Context,
  { content_cid }: Pick<ForecastRow, 'content_cid'>,
): Promise<ReceiptView | null> {
  return content_cid === null ? null : readReceipt(database, stamps, content_cid);
}

/** The state of the outcome as text; null without an outcome. Rows are only added, so their number is enough. */
const OUTCOME_VERSION = sql<string | null>`(
  SELECT concat_ws(' ', outcome.status, outcome.revised, outcome.metrics::text,
    (SELECT count(*) FROM forecast_outcome_row WHERE forecast_id = outcome.forecast_id))
  FROM forecast_outcome AS outcome WHERE outcome.forecast_id = forecast.id)`;

function selectPublic(executor: Executor) {
  return executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .where('visibility', '=', 'public')
    .where('guest_id', 'is', null);
}

/** Returns the slug of a forecast if it has a public page, otherwise null. */
export async function findPublicSlug(context: Context, id: string): Promise<string | null> {
  const found = await selectPublic(context.database)
    .select(['slug', 'snapshot_id', 'checkpoints'])
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined && (await areLicensesAllowed(context, found)) ? found.slug : null;
}

async function areLicensesAllowed(
  context: Context,
  forecast: Pick<ForecastRow, 'checkpoints' | 'snapshot_id'>,
): Promise<boolean> {
  return isAllowed(requireAllowedLicenses(context, forecast));
}

/** Returns whether a check found no reason to refuse. */
async function isAllowed(check: Promise<void> | undefined): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** Reads what the page of a forecast shows. Returns null if the forecast is no longer public. */
export async function readPublicForecast(
  context: Context,
  { id }: Pick<FoundPublicForecast, 'id'>,
): Promise<PublicForecast | null> {
  const found = await selectPublic(context.database)
    .selectAll()
    .select(OUTCOME_VERSION.as('outcome_version'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { outcome_version, ...forecast } = found;
  const snapshot = await readSnapshot(context, forecast.snapshot_id);
  const receipt = await readForecastReceipt(context, forecast);
  return {
    version: versionOf({ ...forecast, outcome_version }, receipt),
    forecast,
    name: nameForecast(forecast),
    subject: nameForecast({ ...forecast, title: null }),
    horizon: formatHorizon(forecast.settings),
    about: snapshot?.about ?? {},
    history: snapshot && (await areRowsPublic(context, forecast)) ? seriesOf(snapshot) : null,
    outcome: await readPublicOutcome(context, forecast),
    receipt,
  };
}

function seriesOf({ table }: Snapshot) {
  return { timestamps: table.timestamps, values: soleColumn(table) };
}

/**
 * Returns whether every caller may see the rows of a forecast. Rows that were sent with the request, and those of a
 * workspace file, belong to the owner, who has published the forecast but not them.
 */
async function areRowsPublic({ sources }: Context, { settings: { source } }: ForecastRow): Promise<boolean> {
  if (source === null) return false;
  return isAllowed(sources.of(source).authorizeFrozen?.(ANONYMOUS, source, { isCreator: false }));
}

/** Returns as much of the outcome as every caller may see; null before the forecast has completed. */
async function readPublicOutcome(context: Context, forecast: ForecastRow): Promise<PublicOutcome | null> {
  const outcome = await readOutcome(context.database, forecast.id);
  if (outcome === null) return null;
  if (await isAllowed(authorizeOutcome(context, ANONYMOUS, forecast))) return { ...outcome, isPublic: true };
  return { status: outcome.status, revised: false, rows: [], metrics: null, isPublic: false };
}

/** Returns the proof file of a public forecast; null if it has not completed or is no longer public. */
export async function readPublicProof(context: Context, { id }: Pick<FoundPublicForecast, 'id'>) {
  const row = await selectPublic(context.database).selectAll().where('id', '=', id).executeTakeFirst();
  const proof = row === undefined ? null : await readForecastProof(context, row);
  if (proof === null) return null;
  const { document, contentCid } = proof;
  const provenance = await readReceipt(context.database, context.stamps, contentCid);
  return { document, content_cid: contentCid, provenance };
}
