import type { Transaction } from '../../platform/index.ts';
import { json } from '../../platform/index.ts';
import { type Actor, recordEntry } from '../history/record-entry.ts';
import { brierScore, logScore } from '../scores/question-scores.ts';
import type { EventRow, Evidence, RevisionRow, ScoutTables } from '../tables.ts';

/** What happened, by whom it is said. */
export interface NewResolution {
  readonly outcome: 'yes' | 'no' | 'annulled';
  readonly actualOutcome: string;
  readonly source: string;
  readonly evidence: Evidence | null;
  /** When the outcome was known, if that is stated. */
  readonly knownAt: Date | null;
  readonly actor: Actor;
}

const STATUS = { yes: 'resolved_yes', no: 'resolved_no', annulled: 'annulled' } as const;

/**
 * Resolves an event whose row is locked, and scores the last revision that was made before the outcome was known.
 * @returns null when it is resolved already: the first resolution holds
 */
export async function acceptResolution(
  tx: Transaction,
  event: EventRow,
  resolution: NewResolution,
  now: Date,
): Promise<EventRow | null> {
  const { outcome, actor } = resolution;
  const knownAt = knownBefore(event, resolution, now);
  const scored = outcome === 'annulled' ? null : await lastRevisionBefore(tx, event.id, knownAt);
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
      ...(scored && scoreOf(scored, outcome === 'yes')),
      next_check_at: null,
    })
    .where('id', '=', event.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (resolved === undefined) return null;
  await recordEntry(tx, {
    eventId: event.id,
    action: outcome === 'annulled' ? 'annulled' : 'resolved',
    actor,
    details: { status: resolved.status, revision: resolved.scored_revision, log_score: resolved.log_score },
    now,
  });
  return resolved;
}

/**
 * The earliest moment by which the outcome was known: as it is stated, or the end of what a rule observes, or the
 * deadline. Null: none of these has come.
 */
function knownBefore({ resolution_deadline, observed_until }: EventRow, { knownAt }: NewResolution, now: Date) {
  const moments = [knownAt, observed_until, resolution_deadline].filter((moment) => moment !== null && moment <= now);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map(Number)));
}

async function lastRevisionBefore(tx: Transaction, eventId: string, knownAt: Date | null): Promise<RevisionRow | null> {
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

function scoreOf({ number, probability }: RevisionRow, happened: boolean) {
  return {
    scored_revision: number,
    scored_probability: probability,
    log_score: logScore(probability, happened),
    brier_score: brierScore(probability, happened),
  };
}
