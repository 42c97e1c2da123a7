import { randomUUID } from 'node:crypto';
import { Fault, type Visibility } from '../../contract/index.ts';
import { json, newId, slugOf, type Transaction } from '../../platform/index.ts';
import { holdSnapshot } from '../../snapshots/index.ts';
import type { Charge } from '../charge.ts';
import { FORECAST_QUEUE, type JobContext } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import { admit } from '../metering/admission.ts';
import { enterNetwork } from '../metering/network-slots.ts';
import { reserve } from '../metering/reserve.ts';
import type { Owner } from '../owner.ts';
import type { ForecastSettings } from '../settings.ts';
import type { JobTables } from '../tables.ts';
import { noNetworkSlotLeft, noSlotLeft, tooFewCreditsLeft } from './quota-faults.ts';
import { subjectOf } from './subject-of.ts';

/** A forecast that is ready to be queued. */
export interface NewForecast {
  readonly owner: Owner;
  /** As `guestNetwork` names it. */
  readonly network: string | null;
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
  readonly title: string | null;
  readonly request: object;
  readonly settings: ForecastSettings;
  readonly snapshotId: string;
  readonly checkpoints: Record<string, string>;
  readonly reproduces: string | null;
  readonly credits: number;
}

/**
 * Queues a forecast: slot, credits, row, snapshot, queue entry and first event, all in the caller's transaction.
 * @returns its id
 */
export async function startForecast(
  context: JobContext,
  tx: Transaction,
  forecast: NewForecast,
  charge: Charge,
): Promise<string> {
  const { owner, settings } = forecast;
  const { payer, limits } = charge;
  const now = context.clock.now();
  if (!(await admit(tx, payer, limits.slots))) throw noSlotLeft(charge);
  if (forecast.reproduces !== null) await keepOriginal(tx, forecast.reproduces);
  const id = newId('ef', now.getTime());
  const jobId = randomUUID();
  const progress = { completed_models: 0, total_models: settings.models.length, current_model: null };
  await tx
    .query<JobTables>()
    .insertInto('forecast')
    .values({
      id,
      slug: slugOf(forecast.title ?? subjectOf(settings), 'forecast'),
      owner: owner.id,
      payer,
      account_id: owner.accountId,
      guest_id: owner.guestId,
      workspace_id: forecast.workspaceId,
      visibility: forecast.visibility,
      title: forecast.title,
      status: 'queued',
      request: forecast.request,
      settings,
      snapshot_id: forecast.snapshotId,
      checkpoints: forecast.checkpoints,
      reproduces: forecast.reproduces,
      credits: forecast.credits,
      job_id: jobId,
      progress: json(progress),
      created_at: now,
    })
    .execute();
  if (forecast.network !== null && !(await enterNetwork(tx, forecast.network, id))) throw noNetworkSlotLeft();
  const reservation = { owner: payer, forecastId: id, credits: forecast.credits, limit: limits.credits, now };
  if (!(await reserve(tx, reservation))) throw tooFewCreditsLeft(charge, forecast.credits, now);
  if (!(await holdSnapshot(tx, forecast.snapshotId, id))) {
    throw new Fault('UNAVAILABLE', 'The frozen rows were removed in the meantime. Try again.');
  }
  const { priority } = limits;
  await context.queue.enqueue(tx, FORECAST_QUEUE, { forecast_id: id }, { id: jobId, priority });
  await recordEvent(tx, { forecastId: id, kind: 'queued', data: { status: 'queued', progress }, now });
  return id;
}

/**
 * It may have been removed with its workspace in the meantime; from here on it cannot. After the slot: a removal takes
 * slots first and forecasts last, too.
 */
async function keepOriginal(tx: Transaction, id: string): Promise<void> {
  const kept = await tx
    .query<JobTables>()
    .selectFrom('forecast')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (kept === undefined) throw new Fault('NOT_FOUND', 'The forecast was removed in the meantime.');
}
