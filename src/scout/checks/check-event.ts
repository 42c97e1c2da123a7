import { isCompleted } from '../../calendar/index.ts';
import { type CheckState, Fault, type SourceReference } from '../../contract/index.ts';
import { readPrincipal } from '../../identity/index.ts';
import { holdSnapshot, type SourceRows } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import { lockEventRow } from '../events/lock-event.ts';
import { THE_RULE } from '../history/record-entry.ts';
import { acceptResolution } from '../resolution/accept-resolution.ts';
import { decideOutcome, OPERATOR_WORDS } from '../rules/decide-outcome.ts';
import type { EventRow, ResolutionRule } from '../tables.ts';
import { nextCheck } from './next-check.ts';
import { noteCheck } from './note-check.ts';
import { freezeEvidence, type Observation, observationAt } from './observation.ts';

/** Reads the rows that a rule is decided by. */
export type ReadRows = (source: SourceReference, until: Date, signal?: AbortSignal) => Promise<SourceRows>;

/** Why there is nothing to decide by. */
interface Hindrance {
  readonly state: CheckState;
  readonly message: string;
}

/**
 * Resolves an event by its rule, if the observation is final and can be read; otherwise notes why not, and when to look
 * again. Nothing is guessed: without the row the event stays pending for ever.
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
    await noteCheck(context, event, { state: 'waiting', message, nextCheckAt: due });
    return 'waiting';
  }
  const found = await findObservation(context, event, () => readRows(rule.source, readUntil, signal), now);
  if ('state' in found) {
    await noteCheck(context, event, { ...found, nextCheckAt: nextCheck(found.state, due, now) });
    return found.state;
  }
  await resolveByRule(context, event.id, rule, found);
  return 'resolved';
}

async function findObservation(
  { database, sources }: ScoutContext,
  { author_account_id, resolution_rule }: EventRow,
  read: () => Promise<SourceRows>,
  now: Date,
): Promise<Observation | Hindrance> {
  const rule = resolution_rule as ResolutionRule;
  const author = await readPrincipal(database, author_account_id);
  if (author === null) return { state: 'denied', message: 'The author has no account any more.' };
  try {
    await sources.of(rule.source).authorize(author, rule.source);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { state: 'denied', message: `The author may not read the series now: ${error.message}` };
  }
  try {
    const rows = await read();
    const observation = observationAt(rows, Date.parse(rule.observed_at));
    if (observation && isCompleted(rows.cadence, observation.timestamp, now.getTime())) return observation;
    return { state: 'missing', message: `The series has no observation of ${rule.observed_at} yet.` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { state: error.code === 'NOT_FOUND' ? 'missing' : 'provider_failed', message: error.message };
  }
}

/** The rows are frozen before the transaction, which holds them for as long as the event is there. */
async function resolveByRule(
  context: ScoutContext,
  id: string,
  rule: ResolutionRule,
  observation: Observation,
): Promise<void> {
  const evidence = await freezeEvidence(context, observation);
  const { value } = observation;
  const words = `${value} on ${rule.observed_at}`;
  const outcome = decideOutcome(rule, value);
  const resolution = {
    outcome,
    actualOutcome: `${words}: ${outcome === 'yes' ? '' : 'not '}${OPERATOR_WORDS[rule.op]} ${rule.threshold}.`,
    source: `Resolution rule: ${observation.rows.about.title ?? 'the series'}, ${observation.rows.provider}`.slice(
      0,
      500,
    ),
    evidence,
    knownAt: null,
    actor: THE_RULE,
  };
  await context.database.transaction(async (tx) => {
    const event = await lockEventRow(tx, id);
    // Removed, or resolved by somebody, while the rows were read.
    if (event === undefined || event.status !== 'pending') return;
    if (!(await holdSnapshot(tx, evidence.snapshot_id ?? '', id))) {
      throw new Fault('UNAVAILABLE', 'The frozen rows were removed in the meantime. Try again.');
    }
    await acceptResolution(tx, event, resolution, context.clock.now());
  });
}
