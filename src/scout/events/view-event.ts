import type { z } from 'zod';
import type { EventForecast, EventResolution } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { resolutionNotFound } from '../faults.ts';
import { SCORE_DEFINITION } from '../scores/question-scores.ts';
import type { EventRow } from '../tables.ts';
import { findStamped } from './stamped-events.ts';

type EventView = z.output<typeof EventForecast>;

/** Returns events as the API shows them to an account. */
export async function viewEvents(
  executor: Executor,
  rows: readonly EventRow[],
  accountId: string,
): Promise<EventView[]> {
  const stamped = await findStamped(
    executor,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewOne(row, accountId, stamped.has(row.id)));
}

/** Returns an event as the API shows it to an account. */
export async function viewEvent(executor: Executor, row: EventRow, accountId: string): Promise<EventView> {
  const stamped = await findStamped(executor, [row.id]);
  return viewOne(row, accountId, stamped.has(row.id));
}

function viewOne(row: EventRow, accountId: string, stamped: boolean): EventView {
  const { origin } = row;
  return {
    forecast_id: row.id,
    slug: row.slug,
    category: row.category,
    entity: { type: row.entity_type, name: row.entity_name, ticker: row.entity_ticker },
    question: row.question,
    possible_future_headline: row.possible_future_headline,
    probability: row.probability,
    status: row.status,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    revised_at: row.revised_at.toISOString(),
    input_cutoff_at: row.input_cutoff_at.toISOString(),
    resolution_deadline: row.resolution_deadline.toISOString(),
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    is_own: row.author_account_id === accountId,
    model: row.model,
    resolution_rule: row.resolution_rule,
    source_forecast: origin && { ...origin, quantiles: { ...origin.quantiles } },
    check: viewCheck(row),
    stamped,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    score: viewScore(row),
  };
}

function viewScore({ scored_revision, scored_probability, log_score, brier_score }: EventRow): EventView['score'] {
  // A constraint of the table makes the columns of a score null together.
  if (scored_revision === null || scored_probability === null || log_score === null || brier_score === null)
    return null;
  return { revision: scored_revision, probability: scored_probability, log_score, brier_score };
}

function viewCheck({ status, check_state, check_message, checked_at, next_check_at }: EventRow): EventView['check'] {
  if (status !== 'pending' || check_state === null) return null;
  return {
    state: check_state,
    message: check_message ?? '',
    checked_at: checked_at?.toISOString() ?? null,
    next_check_at: next_check_at?.toISOString() ?? null,
  };
}

type ResolutionView = z.output<typeof EventResolution>;

/** Returns the resolution of an event as the API shows it. Throws a fault if the event is pending. */
export function viewResolution(row: EventRow): ResolutionView {
  const { resolved_at, resolved_by, actual_outcome, resolution_source, evidence } = row;
  if (resolved_at === null || resolved_by === null || actual_outcome === null || resolution_source === null) {
    throw resolutionNotFound();
  }
  return {
    forecast_id: row.id,
    slug: row.slug,
    status: row.status,
    actual_outcome,
    resolved_at: resolved_at.toISOString(),
    resolved_by,
    outcome_known_at: row.outcome_known_at?.toISOString() ?? null,
    ...(row.status !== 'annulled' && { log_score: row.log_score }),
    brier_score: row.brier_score,
    score_definition: SCORE_DEFINITION,
    score_note: scoreNote(row),
    revision: row.scored_revision,
    probability: row.scored_probability,
    resolution_source,
    resolution_rule: row.resolution_rule,
    evidence: evidence && { ...evidence, observation: evidence.observation && { ...evidence.observation } },
  };
}

/** Returns why a resolved event has no score; null if it has one. */
function scoreNote({ status, log_score }: EventRow): string | null {
  if (log_score !== null) return null;
  return status === 'annulled'
    ? 'An annulled question has no score.'
    : 'No revision was made before the outcome was known.';
}
