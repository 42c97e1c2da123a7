import { randomUUID } from 'node:crypto';
import { Fault, type Visibility } from '../../contract/index.ts';
import { json, newId, type Transaction } from '../../platform/index.ts';
import { holdSnapshot } from '../../snapshots/index.ts';
import { FORECAST_QUEUE, type JobContext } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import { admit, type CallerLimits, reserve } from '../metering/index.ts';
import type { Owner } from '../owner.ts';
import type { ForecastSettings } from '../settings.ts';
import type { JobTables } from '../tables.ts';
import { slugOf } from './slug.ts';

/** A forecast that is ready to be queued. */
export interface NewForecast {
  readonly owner: Owner;
  readonly limits: CallerLimits;
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
  readonly title: string | null;
  /** What its address is made of where it has no title. */
  readonly subject: string;
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
export async function startForecast(context: JobContext, tx: Transaction, forecast: NewForecast): Promise<string> {
  const { owner, limits, settings } = forecast;
  const now = context.clock.now();
  if (!(await admit(tx, owner.id, limits.slots))) {
    const count = limits.slots === 1 ? 'One forecast' : `${limits.slots} forecasts`;
    throw new Fault(
      'QUOTA_EXCEEDED',
      `${count} of yours may wait or run at a time. Wait for one to end, or cancel one.`,
      {
        retryAfter: 5,
      },
    );
  }
  const id = newId('ef', now.getTime());
  const jobId = randomUUID();
  const progress = { completed_models: 0, total_models: settings.models.length, current_model: null };
  await tx
    .query<JobTables>()
    .insertInto('forecast')
    .values({
      id,
      slug: slugOf(forecast.title ?? forecast.subject),
      owner: owner.id,
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
  const reservation = { owner: owner.id, forecastId: id, credits: forecast.credits, limit: limits.credits, now };
  if (!(await reserve(tx, reservation))) {
    throw new Fault(
      'QUOTA_EXCEEDED',
      `This forecast takes ${forecast.credits} credits, more than are left of the ${limits.credits} of this month. Fewer models, rows or manual weights take fewer.`,
      { retryAfter: secondsToNextMonth(now) },
    );
  }
  if (!(await holdSnapshot(tx, forecast.snapshotId, id))) {
    throw new Fault('UNAVAILABLE', 'The frozen rows were removed in the meantime. Try again.');
  }
  await context.queue.enqueue(tx, FORECAST_QUEUE, { forecast_id: id }, { id: jobId });
  await recordEvent(tx, { forecastId: id, kind: 'queued', data: { status: 'queued', progress }, now });
  return id;
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);
}
