import { canonicalJson } from '../../engine/index.ts';
import type { Log } from '../../platform/index.ts';
import type { SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { checkEvent, type ReadRows } from './check-event.ts';
import { nextCheck } from './next-check.ts';
import { noteCheck } from './note-check.ts';
import { ROWS_KEPT } from './observation.ts';

const BATCH = 100;
/** A run ends before the next one is due; what is left is found by that. */
const RUN_MS = 4 * 60_000;

export interface CheckOptions {
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the events whose time has come, one after the other: what goes wrong with one does not keep the others waiting.
 * Questions about the same row read it once.
 * @returns how many were checked
 */
export async function checkDueEvents(context: ScoutContext, { log, signal }: CheckOptions): Promise<number> {
  const started = context.clock.now();
  const readRows = readOnce(context);
  const seen = new Set<string>();
  for (;;) {
    const due = (await dueEvents(context, started)).filter(({ id }) => !seen.has(id));
    for (const event of due) {
      if (signal?.aborted || context.clock.now().getTime() - started.getTime() > RUN_MS) return seen.size;
      seen.add(event.id);
      try {
        await checkEvent(context, event, readRows, signal);
      } catch (error) {
        if (signal?.aborted) return seen.size;
        log.error({ err: error, event: event.id }, 'the rule of an event could not be checked');
        await postpone(context, event);
      }
    }
    if (due.length < BATCH) return seen.size;
  }
}

function dueEvents({ database }: ScoutContext, now: Date): Promise<EventRow[]> {
  return database
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('next_check_at', '<=', now)
    .where('status', '=', 'pending')
    .orderBy('next_check_at')
    .orderBy('id')
    .limit(BATCH)
    .execute();
}

/** A failing read, too, is shared: a provider that is down is not asked again by every question about it. */
function readOnce({ sources, clock }: ScoutContext): ReadRows {
  const reads = new Map<string, Promise<SourceRows>>();
  return (source, until, signal) => {
    const key = canonicalJson({ source, until: until.toISOString() });
    const cutoff = Math.min(until.getTime(), clock.now().getTime());
    const known = reads.get(key) ?? sources.of(source).read(source, { cutoff, limit: ROWS_KEPT + 1, signal });
    reads.set(key, known);
    return known;
  };
}

/** One that fails in a way that nobody foresaw waits like one whose provider fails. */
async function postpone(context: ScoutContext, event: EventRow): Promise<void> {
  await noteCheck(context, event, {
    state: 'provider_failed',
    message: 'The rule could not be checked, for a reason that is in the log of the service.',
    nextCheckAt: nextCheck('provider_failed', event.final_at as Date, context.clock.now()),
  });
}
