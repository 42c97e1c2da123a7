import type { Updateable } from 'kysely';
import { forecastSeasonalNaive } from '../../engine/index.ts';
import { json, recordOutboxEvents, type Transaction } from '../../platform/index.ts';
import {
  freeze,
  holdSnapshot,
  readSnapshot,
  releaseSnapshot,
  type Snapshot,
  type SnapshotContext,
  soleColumn,
} from '../../snapshots/index.ts';
import type { ForecastOutcomeTable, ForecastTables } from '../tables.ts';
import type { ActualRow } from './match-rows.ts';
import { countPastSteps, type StepTimes } from './outcome-times.ts';
import type { OpenOutcome, OutcomeRow } from './read-outcome.ts';
import { measureOutcome, scoreOutcome } from './score-outcome.ts';

/** What a check or a caller adds to an outcome. */
export interface Addition {
  readonly steps: readonly StepTimes[];
  /** The rows that are not recorded yet. */
  readonly added: readonly ActualRow[];
  /** The description of the rows in their snapshot. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Whether the outcome ends with the rows that it has. */
  readonly isEnded: boolean;
  /** Recorded rows for which the source now has another value. */
  readonly revisions?: readonly { readonly step: number; readonly value: number }[];
  /** Further columns to set. */
  readonly fields?: Updateable<ForecastOutcomeTable>;
  /** Runs first in the transaction. */
  readonly begin?: (tx: Transaction) => Promise<void>;
}

/**
 * Adds rows to an outcome. The rows are frozen before the transaction, which records them, scores them and takes hold of
 * the snapshot. It changes nothing if the outcome has changed since it was read or the forecast was deleted.
 *
 * @returns whether the rows were recorded
 */
export async function recordOutcome(
  context: SnapshotContext,
  { forecast, outcome }: OpenOutcome,
  addition: Addition,
): Promise<boolean> {
  const { steps, added, fields, begin } = addition;
  const replayed = outcome.replayed_steps ?? countPastSteps(steps, forecast.created_at);
  const rows = [...outcome.rows, ...added].sort((one, other) => one.step - other.step);
  const scored = rows.filter(({ step }) => step > replayed);
  const baseline = outcome.baseline ?? (scored.length > 0 ? await computeBaseline(context, forecast) : null);
  const isComplete = rows.length > 0 && (addition.isEnded || rows.at(-1)?.step === steps.length);
  const scores = isComplete && baseline !== null ? scoreOutcome({ result: forecast.result, baseline }, scored) : null;
  const metrics = baseline === null ? null : measureOutcome({ result: forecast.result, baseline }, scored);
  const snapshot = added.length > 0 ? await freeze(context, toSnapshot(addition.about, rows)) : null;
  const now = context.clock.now();
  const firstScored = scored[0];
  const firstOutcome = firstScored && steps[firstScored.step - 1]?.knownFrom;
  const status = isComplete ? 'complete' : addition.isEnded ? 'unavailable' : rows.length > 0 ? 'partial' : 'waiting';
  return context.database.transaction(async (tx) => {
    await begin?.(tx);
    if (!(await lockUnchanged(tx, forecast.id, outcome))) return false;
    if (snapshot !== null) await exchangeSnapshots(tx, forecast.id, snapshot.id, outcome.snapshot_id);
    await insertRows(tx, forecast.id, added, { replayed, now });
    for (const { step, value } of addition.revisions ?? []) await recordRevision(tx, forecast.id, step, value);
    await updateOutcome(tx, forecast.id, {
      status,
      replayed_steps: replayed,
      checked_at: now,
      ...(snapshot !== null && { snapshot_id: snapshot.id }),
      baseline: baseline === null ? null : json(baseline),
      metrics: metrics === null ? null : json(metrics),
      scores: scores === null ? null : json(scores),
      first_outcome_at: firstOutcome === undefined ? null : new Date(firstOutcome),
      completed_at: isComplete ? now : null,
      ...fields,
      ...((isComplete || addition.isEnded) && { next_check_at: null }),
    } as Updateable<ForecastOutcomeTable>);
    if (isComplete || addition.isEnded) {
      await recordOutboxEvents(tx, 'forecast.outcome', [{ subject: forecast.id, details: { status } }], now);
    }
    return true;
  });
}

/** Records that a check added nothing. Changes nothing if the outcome has changed since it was read. */
export async function postponeOutcome(
  { database, clock }: SnapshotContext,
  { forecast, outcome }: OpenOutcome,
  fields: Pick<Updateable<ForecastOutcomeTable>, 'status' | 'reason' | 'next_check_at' | 'replayed_steps'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, forecast.id, outcome))) return;
    await updateOutcome(tx, forecast.id, { checked_at: clock.now(), ...fields });
  });
}

async function computeBaseline(
  context: SnapshotContext,
  { id, settings, result, snapshot_id }: OpenOutcome['forecast'],
) {
  const { table } = await readInput(context, { id, snapshot_id });
  const { cadence, horizon, quantiles } = settings;
  const { season } = result;
  return forecastSeasonalNaive({
    cadence,
    timestamps: table.timestamps,
    values: soleColumn(table),
    season,
    horizon,
    quantiles,
  });
}

/** Returns the rows that a completed forecast was made from. */
export async function readInput(
  context: SnapshotContext,
  { id, snapshot_id }: Pick<OpenOutcome['forecast'], 'id' | 'snapshot_id'>,
): Promise<Snapshot> {
  const snapshot = await readSnapshot(context, snapshot_id);
  if (snapshot === null)
    throw new Error(`The snapshot of the forecast ${id} is missing although the forecast holds it.`);
  return snapshot;
}

function toSnapshot(about: Addition['about'], rows: readonly (OutcomeRow | ActualRow)[]) {
  return {
    about,
    table: {
      timestamps: Float64Array.from(rows, ({ timestamp }) => Number(timestamp)),
      columns: { actual: Float64Array.from(rows, ({ actual }) => actual) },
    },
  };
}

/** Locks an outcome. Returns false if it has changed since it was read, or no longer exists. */
async function lockUnchanged(
  tx: Transaction,
  forecastId: string,
  { status, next_check_at, snapshot_id }: OpenOutcome['outcome'],
): Promise<boolean> {
  const locked = await tx
    .query<ForecastTables>()
    .selectFrom('forecast_outcome')
    .select('forecast_id')
    .where('forecast_id', '=', forecastId)
    .where('status', '=', status)
    .where('next_check_at', 'is not distinct from', next_check_at)
    .where('snapshot_id', 'is not distinct from', snapshot_id)
    .forUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Holds the snapshot of all recorded rows instead of the one of the earlier rows. */
async function exchangeSnapshots(tx: Transaction, forecastId: string, next: string, previous: string | null) {
  if (!(await holdSnapshot(tx, next, forecastId))) {
    throw new Error(`The outcome of the forecast ${forecastId} was removed before the forecast could hold it.`);
  }
  if (previous !== null && previous !== next) await releaseSnapshot(tx, previous, forecastId);
}

async function insertRows(
  tx: Transaction,
  forecastId: string,
  added: readonly ActualRow[],
  { replayed, now }: { readonly replayed: number; readonly now: Date },
): Promise<void> {
  if (added.length === 0) return;
  await tx
    .query<ForecastTables>()
    .insertInto('forecast_outcome_row')
    .values(
      added.map(({ step, timestamp, actual }) => ({
        forecast_id: forecastId,
        step,
        timestamp: new Date(timestamp),
        actual,
        replayed: step <= replayed,
        recorded_at: now,
        revised_to: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['forecast_id', 'step']).doNothing())
    .execute();
}

async function recordRevision(tx: Transaction, forecastId: string, step: number, value: number): Promise<void> {
  await tx
    .query<ForecastTables>()
    .updateTable('forecast_outcome_row')
    .set({ revised_to: value })
    .where('forecast_id', '=', forecastId)
    .where('step', '=', step)
    .execute();
}

async function updateOutcome(tx: Transaction, forecastId: string, fields: Updateable<ForecastOutcomeTable>) {
  await tx
    .query<ForecastTables>()
    .updateTable('forecast_outcome')
    .set(fields)
    .where('forecast_id', '=', forecastId)
    .execute();
}
