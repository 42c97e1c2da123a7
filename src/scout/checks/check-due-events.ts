import { MINUTE_MS } from '../../calendar/index.ts';
import { canonicalJson } from '../../contract/index.ts';
import type { Log, Queue, QueueDefinition } from '../../platform/index.ts';
import type { SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { checkEvent, nextCheckTime, type ReadRows, recordCheck } from './check-event.ts';
import { MAX_EVIDENCE_ROWS } from './observation.ts';

/**
 * Only one run takes place at a time, however many workers there are. If a run is lost, the next one makes up for it.
 */
export const SCOUT_QUEUE: QueueDefinition = { name: 'scout-resolution', retryLimit: 0, policy: 'singleton' };

/** Starts checking due events every five minutes. */
export async function startScoutWorker(
  context: ScoutContext & { readonly queue: Queue; readonly log: Log },
): Promise<void> {
  const { queue, log } = context;
  await queue.work(SCOUT_QUEUE.name, {}, async ({ signal }) => {
    await checkDueEvents(context, { log, signal });
  });
  await queue.schedule(SCOUT_QUEUE.name, '*/5 * * * *');
}

const BATCH_SIZE = 100;
/** A run ends before the next run is due. The next run checks the remaining events. */
const MAX_RUN_MS = 4 * MINUTE_MS;

export interface CheckOptions {
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the due events one after the other, in turn between their authors. An event whose check fails does not hold up
 * the others. A row that decides several questions is read once.
 * @returns how many events were checked
 */
export async function checkDueEvents(context: ScoutContext, { log, signal }: CheckOptions): Promise<number> {
  const started = context.clock.now();
  const readRows = createSharedReader(context);
  const checked = new Set<string>();
  for (;;) {
    const due = (await readDueEvents(context, started)).filter(({ id }) => !checked.has(id));
    for (const event of due) {
      if (signal?.aborted || context.clock.now().getTime() - started.getTime() > MAX_RUN_MS) return checked.size;
      checked.add(event.id);
      try {
        await checkEvent(context, event, readRows, signal);
      } catch (error) {
        if (signal?.aborted) return checked.size;
        log.error({ err: error, event: event.id }, 'checking the resolution rule of an event failed');
        await postponeCheck(context, event);
      }
    }
    if (due.length < BATCH_SIZE) return checked.size;
  }
}

/**
 * Reads due events: the oldest of each author, then the second oldest of each author, and so on. The checks of an author
 * with many events therefore delay an event of another author by one check, not by all of them.
 */
function readDueEvents({ database }: ScoutContext, now: Date): Promise<EventRow[]> {
  return database
    .query<ScoutTables>()
    .with('due', (db) =>
      db
        .selectFrom('event_forecast')
        .select(({ fn }) => [
          'id',
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('author_account_id').orderBy('next_check_at').orderBy('id'))
            .as('turn'),
        ])
        .where('next_check_at', '<=', now)
        .where('status', '=', 'pending'),
    )
    .selectFrom('due')
    .innerJoin('event_forecast', 'event_forecast.id', 'due.id')
    .selectAll('event_forecast')
    .orderBy('due.turn')
    .orderBy('event_forecast.next_check_at')
    .orderBy('event_forecast.id')
    .limit(BATCH_SIZE)
    .execute();
}

/**
 * Creates a reader that reads the same rows once. Failed reads are also shared, so that a provider that is down gets
 * one request and not one per question.
 */
function createSharedReader({ sources, clock }: ScoutContext): ReadRows {
  const reads = new Map<string, Promise<SourceRows>>();
  return ({ source, until, accountId }, signal) => {
    // Reads of warehouse tables count for an account, so that one that has used up its reads must not fail those of others.
    const reader = source.type === 'warehouse_table' ? accountId : null;
    const key = canonicalJson({ source, until: until.toISOString(), reader });
    const cutoff = Math.min(until.getTime(), clock.now().getTime());
    const window = { cutoff, limit: MAX_EVIDENCE_ROWS + 1, accountId, signal };
    const rows = reads.get(key) ?? sources.of(source).read(source, window);
    reads.set(key, rows);
    return rows;
  };
}

/** Schedules the next check after an unexpected error in the same way as after a failure of the provider. */
async function postponeCheck(context: ScoutContext, event: EventRow): Promise<void> {
  await recordCheck(context, event, {
    state: 'provider_failed',
    message: 'The rule could not be checked. The log of the service has the reason.',
    nextCheckAt: nextCheckTime('provider_failed', event.final_at as Date, context.clock.now()),
  });
}
