import type { ScoutContext } from '../context.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { type ChosenEvents, COUNTED_MODEL } from './chosen-events.ts';

const COLUMNS = [
  'id',
  'slug',
  'category',
  'entity_type',
  'entity_name',
  'entity_ticker',
  'question',
  'status',
  'scored_probability',
  'scored_revision',
  'log_score',
  'brier_score',
  'resolved_at',
  'source_forecast_id',
] as const;

/** A resolved question with its score, and the model that made the scored probability, if one did. */
export type ScoredEvent = Pick<EventRow, 'id' | 'slug' | 'category' | 'entity_type' | 'entity_name' | 'entity_ticker'> &
  Pick<EventRow, 'model' | 'question' | 'status' | 'source_forecast_id'> & {
    readonly scored_probability: number;
    readonly scored_revision: number;
    readonly log_score: number;
    readonly brier_score: number;
    readonly resolved_at: Date;
  };

/** Questions that one scoreboard covers: its intervals are drawn a thousand times. */
export const MAX_SCORED = 5_000;

/** The scored ones among those chosen, those resolved last first; one more than are covered. */
export async function readScored({ database }: ScoutContext, chosen: ChosenEvents): Promise<ScoredEvent[]> {
  const rows = await chosen(database.query<ScoutTables>().selectFrom('event_forecast').select(COLUMNS))
    .select(COUNTED_MODEL.as('model'))
    .where('log_score', 'is not', null)
    .orderBy('resolved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SCORED + 1)
    .execute();
  // The table says that a score comes with the rest.
  return rows as ScoredEvent[];
}

/** Questions that are answered or given up, and have no score. */
export interface WithoutScore {
  readonly annulled: number;
  /** Resolved, but nothing was said before the outcome was known. */
  readonly unscored: number;
}

/** However many there are: who annuls what went badly cannot hide it behind a limit. */
export async function countWithoutScore({ database }: ScoutContext, chosen: ChosenEvents): Promise<WithoutScore> {
  const counted = database
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', '=', 'annulled').as('annulled'),
      fn.countAll<number>().filterWhere('status', '!=', 'annulled').as('unscored'),
    ]);
  return chosen(counted).where('status', '!=', 'pending').where('log_score', 'is', null).executeTakeFirstOrThrow();
}
