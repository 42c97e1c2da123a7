import { DAY_MS, HOUR_MS, isCompleted, MINUTE_MS } from '../../calendar/index.ts';
import { type CheckState, Fault, type SourceReference } from '../../contract/index.ts';
import { readPrincipal } from '../../identity/index.ts';
import { holdSnapshot, type SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import { lockEventRow } from '../events/find-event.ts';
import { RULE_ACTOR, recordHistoryEntry } from '../events/history.ts';
import { acceptResolution } from '../events/resolve-event.ts';
import { decideOutcome, OPERATOR_TEXT } from '../rules/decide-outcome.ts';
import type { EventRow, ResolutionRule, ScoutTables } from '../tables.ts';
import { findObservation, freezeEvidence, type Observation } from './observation.ts';

/** Which rows decide a rule, and the account of the author, for which they are read. */
export interface WantedRows {
  readonly source: SourceReference;
  readonly until: Date;
  readonly accountId: string;
}

/** Reads the rows that decide a rule. */
export type ReadRows = (wanted: WantedRows, signal?: AbortSignal) => Promise<SourceRows>;

/** The reason why a rule could not be decided. */
interface CheckFailure {
  readonly state: CheckState;
  readonly message: string;
}

/**
 * Resolves an event by its rule if the observation is final and can be read. Otherwise the event stays pending, and the
 * reason and the time of the next check are recorded.
 */
export async function checkEvent(
  context: ScoutContext,
  event: EventRow,
  readRows: ReadRows,
  signal?: AbortSignal,
): Promise<'resolved' | CheckState> {
  const { resolution_rule: rule, final_at: due, read_until: readUntil } = event;
  if (rule === null || due === null || readUntil === null) throw new Error(`The event ${event.id} has no rule.`);
  const now = context.clock.now();
  if (now < due) {
    const message = `The observation is final at ${due.toISOString()}.`;
    await recordCheck(context, event, { state: 'waiting', message, nextCheckAt: due });
    return 'waiting';
  }
  const wanted = { source: rule.source, until: readUntil, accountId: event.author_account_id };
  const found = await readObservation(context, event, () => readRows(wanted, signal), now);
  if ('state' in found) {
    await recordCheck(context, event, { ...found, nextCheckAt: nextCheckTime(found.state, due, now) });
    return found.state;
  }
  await resolveByRule(context, event.id, rule, found);
  return 'resolved';
}

async function readObservation(
  { database, sources }: ScoutContext,
  { author_account_id, resolution_rule }: EventRow,
  read: () => Promise<SourceRows>,
  now: Date,
): Promise<Observation | CheckFailure> {
  const rule = resolution_rule as ResolutionRule;
  const author = await readPrincipal(database, author_account_id);
  if (author === null) return { state: 'denied', message: 'The account of the author no longer exists.' };
  try {
    await sources.of(rule.source).authorize(author, rule.source);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { state: 'denied', message: `The author can no longer read the series: ${error.message}` };
  }
  try {
    const rows = await read();
    const observation = findObservation(rows, Date.parse(rule.observed_at));
    if (observation && isCompleted(rows.cadence, observation.timestamp, now.getTime())) return observation;
    return { state: 'missing', message: `The series has no observation of ${rule.observed_at} yet.` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { state: error.code === 'NOT_FOUND' ? 'missing' : 'provider_failed', message: error.message };
  }
}

/**
 * Resolves an event by an observation. The rows are frozen before the transaction. In the transaction, the event takes
 * hold of the snapshot, which is then kept for as long as the event exists.
 */
async function resolveByRule(
  context: ScoutContext,
  id: string,
  rule: ResolutionRule,
  observation: Observation,
): Promise<void> {
  const evidence = await freezeEvidence(context, observation);
  const { value, rows } = observation;
  const outcome = decideOutcome(rule, value);
  const comparison = `${outcome === 'yes' ? '' : 'not '}${OPERATOR_TEXT[rule.op]} ${rule.threshold}`;
  const resolution = {
    outcome,
    actualOutcome: `${value} on ${rule.observed_at}: ${comparison}.`,
    source: `Resolution rule: ${rows.about.title ?? 'the series'}, ${rows.provider}`.slice(0, 500),
    evidence,
    knownAt: null,
    actor: RULE_ACTOR,
  };
  await context.database.transaction(async (tx) => {
    const event = await lockEventRow(tx, id);
    // The event may have been removed or resolved while the rows were read.
    if (event === undefined || event.status !== 'pending') return;
    if (!(await holdSnapshot(tx, evidence.snapshot_id ?? '', id))) {
      throw new Error(`The evidence of the event ${id} was removed before the event could hold it.`);
    }
    await acceptResolution(tx, event, resolution, context.clock.now());
  });
}

/**
 * The shortest wait before the next check. A provider that failed is tried again soon; missing rows take longer to
 * arrive.
 */
const MIN_WAIT_MS: Readonly<Record<CheckState, number>> = {
  waiting: MINUTE_MS,
  missing: HOUR_MS,
  provider_failed: 15 * MINUTE_MS,
  denied: HOUR_MS,
};

/** Returns when to check again: after a wait as long as the event has been overdue, but at most a day. */
export function nextCheckTime(state: CheckState, finalAt: Date, now: Date): Date {
  const overdue = now.getTime() - finalAt.getTime();
  return new Date(now.getTime() + Math.min(DAY_MS, Math.max(MIN_WAIT_MS[state], overdue)));
}

/**
 * Records why an event stays pending, and adds a history entry if the state changes. Does nothing if the event was
 * resolved, or checked by another worker, in the meantime.
 */
export async function recordCheck(
  context: ScoutContext,
  event: EventRow,
  { state, message, nextCheckAt }: CheckFailure & { readonly nextCheckAt: Date },
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const now = context.clock.now();
    const recorded = await tx
      .query<ScoutTables>()
      .updateTable('event_forecast')
      .set({ check_state: state, check_message: message, checked_at: now, next_check_at: nextCheckAt })
      .where('id', '=', event.id)
      .where('status', '=', 'pending')
      .where('next_check_at', '=', event.next_check_at)
      .returning('id')
      .executeTakeFirst();
    if (recorded === undefined || event.check_state === state) return;
    await recordHistoryEntry(tx, {
      eventId: event.id,
      action: 'checked',
      actor: RULE_ACTOR,
      details: { state, message },
      now,
    });
  });
}
