import { MINUTE_MS } from '../../calendar/index.ts';
import { canonicalJson, Fault } from '../../contract/index.ts';
import type { Log, Queue, QueueDefinition } from '../../platform/index.ts';
import type { SourceRows } from '../../snapshots/index.ts';
import type { ForecastTables } from '../tables.ts';
import { checkOutcome, type OutcomeContext, type ReadRows, recordFailure } from './check-outcome.ts';
import { openMissingOutcomes } from './open-outcome.ts';
import { stepTimesOf } from './outcome-times.ts';
import { readOpenOutcome } from './read-outcome.ts';

/**
 * Only one run takes place at a time, however many workers there are. If a run is lost, the next one makes up for it.
 */
export const OUTCOME_QUEUE: QueueDefinition = { name: 'forecast-outcomes', retryLimit: 0, policy: 'singleton' };

/** Starts collecting the outcomes of forecasts every five minutes. */
export async function startOutcomeWorker(
  context: OutcomeContext & { readonly queue: Queue; readonly log: Log },
): Promise<void> {
  const { queue, log } = context;
  await queue.work(OUTCOME_QUEUE.name, {}, async ({ signal }) => {
    await checkDueOutcomes(context, { log, signal });
  });
  await queue.schedule(OUTCOME_QUEUE.name, '*/5 * * * *');
}

const BATCH_SIZE = 100;
/** A run ends before the next run is due. The next run checks the remaining outcomes. */
const MAX_RUN_MS = 4 * MINUTE_MS;

interface RunOptions {
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the due outcomes one after the other, in turn between the owners of the forecasts. An outcome whose check fails
 * does not hold up the others.
 *
 * @returns how many outcomes were checked
 */
export async function checkDueOutcomes(context: OutcomeContext, { log, signal }: RunOptions): Promise<number> {
  const started = context.clock.now();
  // In every run, because a process of the version before outcomes can still complete forecasts.
  await openMissingOutcomes(context.database, started);
  const readRows = createSharedReader(context);
  const checked = new Set<string>();
  for (;;) {
    const due = (await readDue(context, started)).filter((id) => !checked.has(id));
    for (const id of due) {
      if (signal?.aborted || context.clock.now().getTime() - started.getTime() > MAX_RUN_MS) return checked.size;
      checked.add(id);
      try {
        await checkOutcome(context, id, { readRows, now: started, signal });
      } catch (error) {
        if (signal?.aborted) return checked.size;
        log.error({ err: error, forecast: id }, 'checking the outcome of a forecast failed');
        await postpone(context, id, started).catch((failure: unknown) => {
          log.error({ err: failure, forecast: id }, 'the next check of the outcome could not be scheduled');
        });
      }
    }
    if (due.length < BATCH_SIZE) return checked.size;
  }
}

/**
 * Returns the forecasts whose outcomes are due: the oldest of each owner, then the second oldest of each owner, and so
 * on. The forecasts of one owner therefore delay a forecast of another by one check, not by all of them.
 */
async function readDue({ database }: OutcomeContext, now: Date): Promise<string[]> {
  const rows = await database
    .query<ForecastTables>()
    .with('due', (db) =>
      db
        .selectFrom('forecast_outcome')
        .innerJoin('forecast', 'forecast.id', 'forecast_outcome.forecast_id')
        .select(({ fn }) => [
          'forecast_outcome.forecast_id as id',
          'next_check_at',
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('owner').orderBy('next_check_at').orderBy('forecast_id'))
            .as('turn'),
        ])
        .where('next_check_at', '<=', now),
    )
    .selectFrom('due')
    .select('id')
    .orderBy('turn')
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Creates a reader that reads the same rows once in a run. A failure of a provider counts for all reads of the series,
 * so that a provider that is down gets one request and not one per forecast.
 */
function createSharedReader({ sources }: OutcomeContext): ReadRows {
  const reads = new Map<string, Promise<SourceRows>>();
  const failures = new Map<string, Fault>();
  return async ({ source, cutoff, limit, accountId }, signal) => {
    // Reads of warehouse tables count for an account, so that one that has used up its reads must not fail those of others.
    const reader = source.type === 'warehouse_table' ? accountId : null;
    const series = canonicalJson({ source, reader });
    const failure = failures.get(series);
    if (failure) throw failure;
    const key = canonicalJson({ source, reader, cutoff, limit });
    const rows = reads.get(key) ?? sources.of(source).read(source, { cutoff, limit, accountId, signal });
    reads.set(key, rows);
    return rows.catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'PROVIDER_FAILED') failures.set(series, error);
      throw error;
    });
  };
}

/** Schedules the next check, or ends the outcome, after an unexpected error as after a failure of the provider. */
async function postpone(context: OutcomeContext, id: string, now: Date): Promise<void> {
  const open = await readOpenOutcome(context.database, id);
  if (open === null || open.outcome.next_check_at === null) return;
  const { settings, result } = open.forecast;
  const reason = 'The outcome could not be read. The log of the service has the reason.';
  await recordFailure(context, open, stepTimesOf(settings, result), { kind: 'failed', reason }, now);
}
