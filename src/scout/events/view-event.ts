import type { z } from 'zod';
import type { EventForecast } from '../../contract/index.ts';
import type { EventRow } from '../tables.ts';

export type EventView = z.output<typeof EventForecast>;

/** An event forecast as the interface shows it to one account. */
export function viewEvent(row: EventRow, accountId: string): EventView {
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
    check: checkOf(row),
  };
}

function checkOf({ status, check_state, check_message, checked_at, next_check_at }: EventRow): EventView['check'] {
  if (status !== 'pending' || check_state === null) return null;
  return {
    state: check_state,
    message: check_message ?? '',
    checked_at: checked_at?.toISOString() ?? null,
    next_check_at: next_check_at?.toISOString() ?? null,
  };
}
