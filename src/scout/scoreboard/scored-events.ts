import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { NO_MODEL_GROUP } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { type EventCriteria, type EventSelector, selectVisibleEvents } from '../events/list-events.ts';
import { COUNTED_REVISION, STAMPED_IN_TIME } from '../events/stamped-events.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

export interface ScoreCriteria extends EventCriteria {
  /** Resolved at or after this time. */
  readonly from?: string | undefined;
  /** Resolved before this time. */
  readonly to?: string | undefined;
  /** Whether only questions count whose scored probability was stamped before the outcome was known. */
  readonly stamped?: boolean | undefined;
}

/**
 * The model that stated the counted probability. A model states only the first one; later revisions are made by
 * accounts and do not count for the model.
 */
const COUNTED_MODEL = sql<string | null>`CASE WHEN ${COUNTED_REVISION} = 1 THEN event_forecast.model END`;

/** Selects events as a list does, except that `model` and `author` refer to the scored probability. */
export async function selectScoreboardEvents(
  { database }: ScoutContext,
  principal: Account,
  { model, author, from, to, stamped = false, ...others }: ScoreCriteria,
): Promise<EventSelector> {
  const selectVisible = await selectVisibleEvents(
    database,
    principal,
    { ...others, author: 'anyone' },
    'scoreboard.read',
  );
  const countedModel = model === NO_MODEL_GROUP ? null : model;
  return (query) =>
    selectVisible(query)
      .$if(model !== undefined, (all) =>
        all.where(sql<boolean>`${COUNTED_MODEL} IS NOT DISTINCT FROM ${countedModel}::text`),
      )
      .$if(author === 'me', (all) =>
        all.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('event_revision')
              .select('event_revision.id')
              .whereRef('event_revision.event_id', '=', 'event_forecast.id')
              .where('event_revision.number', '=', COUNTED_REVISION)
              .where('event_revision.author_account_id', '=', principal.accountId),
          ),
        ),
      )
      .$if(stamped, (all) => all.where(STAMPED_IN_TIME))
      .$if(from !== undefined, (all) => all.where('resolved_at', '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (all) => all.where('resolved_at', '<', new Date(to ?? 0))) as typeof query;
}

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

/** A resolved question with its score and the model that stated the scored probability, if one did. */
export type ScoredEvent = Pick<EventRow, 'id' | 'slug' | 'category' | 'entity_type' | 'entity_name' | 'entity_ticker'> &
  Pick<EventRow, 'model' | 'question' | 'status' | 'source_forecast_id'> & {
    readonly scored_probability: number;
    readonly scored_revision: number;
    readonly log_score: number;
    readonly brier_score: number;
    readonly resolved_at: Date;
  };

/** The largest number of questions in one scoreboard. Its intervals take up to a thousand draws of all questions. */
export const MAX_SCORED_EVENTS = 5_000;

/**
 * Returns the selected questions that have a score, latest resolution first. Returns up to one question more than the
 * maximum, to show that there are more.
 */
export async function readScoredEvents({ database }: ScoutContext, select: EventSelector): Promise<ScoredEvent[]> {
  const rows = await select(database.query<ScoutTables>().selectFrom('event_forecast').select(COLUMNS))
    .select(COUNTED_MODEL.as('model'))
    .where('log_score', 'is not', null)
    .orderBy('resolved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SCORED_EVENTS + 1)
    .execute();
  // A constraint of the table makes the columns of a score null together.
  return rows as ScoredEvent[];
}

/** Counts of resolved or annulled questions without a score. */
export interface UnscoredCounts {
  readonly annulled: number;
  /** Resolved, but without a revision before the outcome was known. */
  readonly unscored: number;
}

/**
 * Counts resolved and annulled questions without a score. The count has no limit, because an author could otherwise
 * hide annulled questions by exceeding it.
 */
export async function countUnscored({ database }: ScoutContext, select: EventSelector): Promise<UnscoredCounts> {
  const counts = database
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', '=', 'annulled').as('annulled'),
      fn.countAll<number>().filterWhere('status', '!=', 'annulled').as('unscored'),
    ]);
  return select(counts).where('status', '!=', 'pending').where('log_score', 'is', null).executeTakeFirstOrThrow();
}
