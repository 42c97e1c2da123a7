import { type SelectQueryBuilder, sql } from 'kysely';
import { type Account, decide } from '../../access/index.ts';
import type { Action } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { listMemberships, requirePlace } from '../../workspaces/index.ts';
import type { ScoutTables } from '../tables.ts';

/** Which events to choose among those that the caller may see. */
export interface EventChoice {
  readonly category?: string | undefined;
  /** Its name or ticker, in any case. */
  readonly entity?: string | undefined;
  readonly model?: string | undefined;
  readonly author: 'anyone' | 'me';
  /** Id or slug. */
  readonly workspace_id?: string | undefined;
}

type EventQuery<Row> = SelectQueryBuilder<ScoutTables, 'event_forecast', Row>;

/** An id that no scope lists: an action on it takes a scope of everything. */
export const ANY_EVENT = 'evt_';

/**
 * What makes a query of events one of those that the caller may see and has chosen. A workspace that is named must be
 * one in which it may see events.
 */
export async function visibleEvents(
  executor: Executor,
  principal: Account,
  choice: EventChoice,
  action: Extract<Action, 'event.list' | 'scoreboard.read'>,
): Promise<<Row>(query: EventQuery<Row>) => EventQuery<Row>> {
  const { accountId } = principal;
  const { category, entity, model, author, workspace_id: named } = choice;
  const inside = named === undefined ? null : await requirePlace(executor, principal, named, action, ANY_EVENT);
  const places = await listMemberships(executor, accountId);
  const open = places
    .filter(({ role, resource_scope }) => {
      const resource = { membership: { role, ...resource_scope }, id: ANY_EVENT };
      return decide(principal, action, resource).allowed;
    })
    .map(({ id }) => id);
  return (query) =>
    query
      .where((where) =>
        where.or([
          where('visibility', '=', 'public'),
          where.and([where('workspace_id', 'is', null), where('author_account_id', '=', accountId)]),
          where.and([
            where('workspace_id', '=', where.fn.any(where.val(open))),
            where.or([where('visibility', '=', 'workspace'), where('author_account_id', '=', accountId)]),
          ]),
        ]),
      )
      .$if(inside !== null, (all) => all.where('workspace_id', '=', inside?.workspaceId ?? ''))
      .$if(author === 'me', (all) => all.where('author_account_id', '=', accountId))
      .$if(category !== undefined, (all) => all.where('category', '=', category ?? ''))
      .$if(model !== undefined, (all) => all.where('model', '=', model ?? ''))
      .$if(entity !== undefined, (all) =>
        all.where(sql<boolean>`lower(${entity ?? ''}) IN (lower(entity_name), lower(entity_ticker))`),
      ) as typeof query;
}
