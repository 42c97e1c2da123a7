import { type SelectQueryBuilder, sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { NO_MODEL } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { type EventChoice, visibleEvents } from '../events/visible-events.ts';
import type { ScoutTables } from '../tables.ts';

export interface ScoredChoice extends EventChoice {
  /** Resolved at or after, and before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type EventQuery<Row> = SelectQueryBuilder<ScoutTables, 'event_forecast', Row>;

/** Makes a query of events one of those that the caller may see and has chosen. */
export type ChosenEvents = <Row>(query: EventQuery<Row>) => EventQuery<Row>;

/** Whose revision a question counts for: the scored one. A question without a score counts as it was published. */
const COUNTED_REVISION = sql<number>`coalesce(event_forecast.scored_revision, 1)`;

/** A model made the first probability only: a revision is what somebody thought, and no score of the model. */
export const COUNTED_MODEL = sql<string | null>`CASE WHEN ${COUNTED_REVISION} = 1 THEN event_forecast.model END`;

/** As for a list of events, except that model and author are those of the probability that was scored. */
export async function chosenEvents(
  { database }: ScoutContext,
  principal: Account,
  { model, author, from, to, ...others }: ScoredChoice,
): Promise<ChosenEvents> {
  const visible = await visibleEvents(database, principal, { ...others, author: 'anyone' }, 'scoreboard.read');
  const counted = model === NO_MODEL ? null : model;
  return (query) =>
    visible(query)
      .$if(model !== undefined, (all) =>
        all.where(sql<boolean>`${COUNTED_MODEL} IS NOT DISTINCT FROM ${counted}::text`),
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
      .$if(from !== undefined, (all) => all.where('resolved_at', '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (all) => all.where('resolved_at', '<', new Date(to ?? 0))) as typeof query;
}
