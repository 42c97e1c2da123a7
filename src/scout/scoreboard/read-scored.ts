import type { Account } from '../../access/index.ts';
import type { ScoutContext } from '../context.ts';
import { type EventChoice, visibleEvents } from '../events/visible-events.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

const COLUMNS = [
  'id',
  'slug',
  'category',
  'entity_type',
  'entity_name',
  'entity_ticker',
  'model',
  'question',
  'status',
  'scored_probability',
  'scored_revision',
  'log_score',
  'brier_score',
  'resolved_at',
  'source_forecast_id',
] as const;

/** A resolved question with its score. */
export type ScoredEvent = Pick<EventRow, 'id' | 'slug' | 'category' | 'entity_type' | 'entity_name' | 'entity_ticker'> &
  Pick<EventRow, 'model' | 'question' | 'status' | 'source_forecast_id'> & {
    readonly scored_probability: number;
    readonly scored_revision: number;
    readonly log_score: number;
    readonly brier_score: number;
    readonly resolved_at: Date;
  };

export interface ScoredChoice extends EventChoice {
  /** Resolved at or after, and before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Questions that one scoreboard covers: its intervals are drawn a thousand times. */
export const MOST_SCORED = 5_000;

/** The scored questions that the caller may see and has chosen, those resolved last first; one more than are covered. */
export async function readScored(
  { database }: ScoutContext,
  principal: Account,
  choice: ScoredChoice,
): Promise<ScoredEvent[]> {
  const { from, to } = choice;
  const visible = await visibleEvents(database, principal, choice, 'scoreboard.read');
  const rows = await visible(database.query<ScoutTables>().selectFrom('event_forecast').select(COLUMNS))
    .where('log_score', 'is not', null)
    .$if(from !== undefined, (all) => all.where('resolved_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (all) => all.where('resolved_at', '<', new Date(to ?? 0)))
    .orderBy('resolved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SCORED + 1)
    .execute();
  // The table says that a score comes with the rest.
  return rows as ScoredEvent[];
}
