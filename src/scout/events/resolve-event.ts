import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { ResolveRequestBody } from '../../contract/index.ts';
import { json, recordOutboxEvents, type Transaction } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { alreadyResolved, outcomeKnownBeforeQuestion, outcomeKnownInFuture } from '../faults.ts';
import { brierScore, logScore } from '../scores/question-scores.ts';
import type { EventRow, Evidence, RevisionRow, ScoutTables } from '../tables.ts';
import { determineActor, findEvent, lockEvent } from './find-event.ts';
import { type Actor, recordHistoryEntry } from './history.ts';

type ResolveBody = z.output<typeof ResolveRequestBody>;

/** Resolves an event by hand, or annuls it. Of several concurrent resolutions, one is accepted. */
export async function resolveEvent(
  context: ScoutContext,
  principal: Account,
  idOrSlug: string,
  body: ResolveBody,
): Promise<EventRow> {
  const found = await findEvent(context.database, principal, idOrSlug, 'event.resolve');
  return context.database.transaction(async (tx) => {
    const event = await lockEvent(tx, principal, found, 'event.resolve');
    const now = context.clock.now();
    const resolution = {
      outcome: body.outcome,
      actualOutcome: body.actual_outcome,
      source: body.resolution_source,
      evidence: toEvidence(body),
      knownAt: acceptKnownAt(body, event, now),
      actor: { accountId: principal.accountId, as: determineActor(principal, event, 'event.resolve') },
    };
    const resolved = await acceptResolution(tx, event, resolution, now);
    if (resolved === null) throw alreadyResolved(event.status);
    return resolved;
  });
}

function acceptKnownAt({ outcome_known_at: stated }: ResolveBody, { created_at }: EventRow, now: Date): Date | null {
  if (stated === undefined) return null;
  const knownAt = new Date(stated);
  if (knownAt > now) throw outcomeKnownInFuture();
  if (knownAt < created_at) throw outcomeKnownBeforeQuestion(created_at);
  return knownAt;
}

function toEvidence({ evidence }: ResolveBody): Evidence | null {
  if (evidence === undefined) return null;
  const { text, observation } = evidence;
  return {
    text,
    observation: observation
      ? { timestamp: new Date(observation.timestamp).toISOString(), value: observation.value }
      : null,
    source: null,
    provider: null,
    snapshot_id: null,
  };
}

/** An outcome, with its source and the actor that states it. */
interface NewResolution {
  readonly outcome: 'yes' | 'no' | 'annulled';
  readonly actualOutcome: string;
  readonly source: string;
  readonly evidence: Evidence | null;
  /** When the outcome became known, if the request states it. */
  readonly knownAt: Date | null;
  readonly actor: Actor;
}

const STATUS = { yes: 'resolved_yes', no: 'resolved_no', annulled: 'annulled' } as const;

/**
 * Resolves an event whose row is locked, and scores the last revision made before the outcome was known. Accounts and
 * rules both resolve events through this function. It contains the only statement that ends the status `pending`.
 * @returns null if the event is already resolved; the first resolution stands
 */
export async function acceptResolution(
  tx: Transaction,
  event: EventRow,
  resolution: NewResolution,
  now: Date,
): Promise<EventRow | null> {
  const { outcome, actor } = resolution;
  const knownAt = outcomeKnownAt(event, resolution, now);
  const scored = outcome === 'annulled' ? null : await readLastRevisionBefore(tx, event.id, knownAt);
  const resolved = await tx
    .query<ScoutTables>()
    .updateTable('event_forecast')
    .set({
      status: STATUS[outcome],
      resolved_at: now,
      resolved_by: actor.as,
      actual_outcome: resolution.actualOutcome,
      resolution_source: resolution.source,
      outcome_known_at: knownAt,
      evidence: resolution.evidence && json(resolution.evidence),
      ...(scored && scoreRevision(scored, outcome === 'yes')),
      next_check_at: null,
    })
    .where('id', '=', event.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (resolved === undefined) return null;
  await recordHistoryEntry(tx, {
    eventId: event.id,
    action: outcome === 'annulled' ? 'annulled' : 'resolved',
    actor,
    details: {
      status: resolved.status,
      revision: resolved.scored_revision,
      ...(outcome !== 'annulled' && { log_score: resolved.log_score }),
    },
    now,
  });
  await recordOutboxEvents(tx, 'event.resolved', [{ subject: event.id, details: { status: resolved.status } }], now);
  return resolved;
}

/**
 * Returns the earliest instant at which the outcome was known: the stated instant, the end of the observed period or
 * the deadline. Returns null if none of these has passed.
 */
function outcomeKnownAt({ resolution_deadline, observed_until }: EventRow, { knownAt }: NewResolution, now: Date) {
  const passed = [knownAt, observed_until, resolution_deadline].filter((instant) => instant !== null && instant <= now);
  return passed.length === 0 ? null : new Date(Math.min(...passed.map(Number)));
}

async function readLastRevisionBefore(
  tx: Transaction,
  eventId: string,
  knownAt: Date | null,
): Promise<RevisionRow | null> {
  const revision = await tx
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .selectAll()
    .where('event_id', '=', eventId)
    .$if(knownAt !== null, (all) => all.where('created_at', '<', knownAt as Date))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return revision ?? null;
}

function scoreRevision({ number, probability }: RevisionRow, happened: boolean) {
  return {
    scored_revision: number,
    scored_probability: probability,
    log_score: logScore(probability, happened),
    brier_score: brierScore(probability, happened),
  };
}
