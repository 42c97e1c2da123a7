import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { z } from 'zod';
import type { Account, Guest } from '../../access/index.ts';
import type { ForecastEstimate } from '../../contract/index.ts';
import { previewForecast } from '../../engine/index.ts';
import { freeze, soleColumn } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { canExceedStorage } from '../storage/storage-budgets.ts';
import { type PreparedForecast, prepareForecast, resolveRequest } from './create-forecast.ts';
import { listWarnings } from './estimate-warnings.ts';
import { queueForecast } from './queue-forecast.ts';
import type { CreateRequest } from './read-input.ts';
import { rehearse } from './rehearse.ts';

interface EstimateOptions {
  /** The network of the caller's address, as the rate limits count it. */
  readonly network: string | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the price of a forecast and what is known about it before it runs. Reads the rows like `createForecast`, and
 * throws the same faults. Stores nothing and takes neither a slot nor credits.
 */
export async function estimateForecast(
  context: ForecastContext,
  principal: Account | Guest,
  body: CreateRequest,
  options: EstimateOptions,
): Promise<z.output<typeof ForecastEstimate>> {
  const request = resolveRequest(body);
  const prepared = await prepareForecast(context, principal, request, {
    ...options,
    transact: (work) => rehearse(context.database, work),
  });
  if (await canBeRefusedLater(context, prepared)) await rehearseCreation(context, principal, prepared);
  const { forecast, input, maxFolds, payer, creditsLeft } = prepared;
  const { settings, credits } = forecast;
  const { timestamps } = input.table;
  const { mode = 'full' } = settings;
  const preview = await runInSteps(previewForecast({ ...settings, mode }, timestamps, soleColumn(input.table)));
  return {
    credits,
    // Only the payer may learn how many credits are left.
    credits_left: payer.isCaller ? creditsLeft : null,
    rows: timestamps.length,
    folds: maxFolds,
    models: [...settings.models],
    ...(settings.notFittedModels && { not_fitted_models: [...settings.notFittedModels] }),
    frequency: settings.cadence.frequency,
    season: preview.season,
    warnings: listWarnings(settings, preview, timestamps, context.clock.now()),
  };
}

/** The size of a forecast without its request, settings and rows, with room for the compression of rows that grow. */
const BASE_BYTES = 16 * 1024;
const BYTES_PER_ROW = 17;

/**
 * Returns whether the transaction that stores the forecast can refuse it although the checks before it did not: the
 * credits of a member, a full resource scope or a storage budget.
 */
async function canBeRefusedLater(
  context: ForecastContext,
  { forecast, input, payer, membership }: PreparedForecast,
): Promise<boolean> {
  if (membership !== null && membership.role !== 'owner') {
    if (membership.memberCredits !== null || membership.forecasts.mode === 'selected') return true;
  }
  const described = Buffer.byteLength(JSON.stringify([forecast.request, forecast.settings, input.about]));
  const bytes = BASE_BYTES + 2 * described + BYTES_PER_ROW * input.table.timestamps.length;
  return canExceedStorage(context, payer, forecast, bytes);
}

/** Creates the forecast in a transaction that is taken back, so that the caller gets the fault of the creation. */
async function rehearseCreation(
  context: ForecastContext,
  principal: Account | Guest,
  { forecast, input }: PreparedForecast,
): Promise<void> {
  await rehearse(context.database, async (tx) => {
    const content = { about: input.about, table: input.table };
    const { id } = await freeze({ database: tx, clock: context.clock }, content);
    await queueForecast(context, tx, principal, { ...forecast, snapshotId: id });
  });
}

/** Runs steps, so that other requests are answered in between. */
async function runInSteps<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}
