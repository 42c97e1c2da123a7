import type { z } from 'zod';
import { type EventResolution, Fault } from '../../contract/index.ts';
import { SCORE_DEFINITION } from '../scores/question-scores.ts';
import type { EventRow } from '../tables.ts';

export type ResolutionView = z.output<typeof EventResolution>;

/** How an event was resolved; a pending one has no resolution. */
export function viewResolution(row: EventRow): ResolutionView {
  const { resolved_at, resolved_by, actual_outcome, resolution_source, evidence } = row;
  if (resolved_at === null || resolved_by === null || actual_outcome === null || resolution_source === null) {
    throw new Fault('NOT_FOUND', 'The forecast is pending: it has no resolution yet.');
  }
  return {
    forecast_id: row.id,
    slug: row.slug,
    status: row.status,
    actual_outcome,
    resolved_at: resolved_at.toISOString(),
    resolved_by,
    outcome_known_at: row.outcome_known_at?.toISOString() ?? null,
    log_score: row.log_score,
    brier_score: row.brier_score,
    score_definition: SCORE_DEFINITION,
    score_note: noteOf(row),
    revision: row.scored_revision,
    probability: row.scored_probability,
    resolution_source,
    resolution_rule: row.resolution_rule,
    evidence: evidence && { ...evidence, observation: evidence.observation && { ...evidence.observation } },
  };
}

function noteOf({ status, log_score }: EventRow): string | null {
  if (log_score !== null) return null;
  return status === 'annulled'
    ? 'An annulled question has no score.'
    : 'No revision was made before the outcome was known.';
}
