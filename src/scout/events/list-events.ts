import { type SelectQueryBuilder, sql } from 'kysely';
import { type Account, decide } from '../../access/index.ts';
import { type Action, canonicalJson, type EventSort, type EventStatus } from '../../contract/index.ts';
import { type Executor, type PageRequest, readNewestFirst, readSorted, type SortOrder } from '../../platform/index.ts';
import { listMemberships, requireMembership } from '../../workspaces/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

/** Selects events among those that the caller may see. */
export interface EventCriteria {
  readonly category?: string | undefined;
  /** A name or ticker, in any case. */
  readonly entity?: string | undefined;
  readonly model?: string | undefined;
  readonly author: 'anyone' | 'me';
  /** Id or slug. */
  readonly workspace_id?: string | undefined;
}

interface EventListRequest extends EventCriteria, PageRequest {
  readonly status?: EventStatus | undefined;
  readonly source_forecast_id?: string | undefined;
  /** With a deadline at or after this time. */
  readonly deadline_from?: string | undefined;
  /** With a deadline before this time. */
  readonly deadline_to?: string | undefined;
  readonly sort: EventSort;
}

const BY_DEADLINE: SortOrder = { by: sql`resolution_deadline`, type: 'timestamptz', direction: 'asc' };

/** Returns a page of the events that the caller may see, newest first or by deadline. */
export async function listEvents(
  context: ScoutContext,
  principal: Account,
  { limit, cursor, sort, ...criteria }: EventListRequest,
): Promise<{ events: EventRow[]; nextCursor: string | null }> {
  const { status, source_forecast_id: source, deadline_from: from, deadline_to: to } = criteria;
  const selectVisible = await selectVisibleEvents(context.database, principal, criteria, 'event.list');
  const query = selectVisible(context.database.query<ScoutTables>().selectFrom('event_forecast').selectAll())
    .$if(status !== undefined, (all) => all.where('status', '=', status ?? 'pending'))
    .$if(source !== undefined, (all) => all.where('source_forecast_id', '=', source ?? ''))
    .$if(from !== undefined, (all) => all.where('resolution_deadline', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (all) => all.where('resolution_deadline', '<', new Date(to ?? 0)));
  // Cursors of lists without a stated order keep the text that they had before there was a choice.
  const stated = { ...criteria, ...(sort !== 'newest' && { sort }) };
  const list = canonicalJson({ events: principal.accountId, ...(JSON.parse(JSON.stringify(stated)) as object) });
  const [key, page] = [await context.cursorKey(), { limit, cursor }];
  const { rows, nextCursor } =
    sort === 'newest'
      ? await readNewestFirst(key, list, page, query)
      : await readSorted(key, list, page, query, BY_DEADLINE);
  return { events: rows, nextCursor };
}

type EventQuery<Row> = SelectQueryBuilder<ScoutTables, 'event_forecast', Row>;

/** Restricts a query for events. */
export type EventSelector = <Row>(query: EventQuery<Row>) => EventQuery<Row>;

/** An id that no resource scope lists, so that an action on it requires the resource scope `all`. */
export const ANY_EVENT_ID = 'evt_';

/**
 * Returns a selector for the events that match the criteria and that the caller may see. If the criteria name a
 * workspace, a membership that can see its events is required.
 */
export async function selectVisibleEvents(
  executor: Executor,
  principal: Account,
  criteria: EventCriteria,
  action: Extract<Action, 'event.list' | 'scoreboard.read'>,
): Promise<EventSelector> {
  const { accountId } = principal;
  const { category, entity, model, author, workspace_id: requested } = criteria;
  const membership =
    requested === undefined ? null : await requireMembership(executor, principal, requested, action, ANY_EVENT_ID);
  const workspaceIds = (await listMemberships(executor, accountId))
    .filter(({ role, resource_scope }) => {
      const resource = { membership: { role, ...resource_scope }, id: ANY_EVENT_ID };
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
            where('workspace_id', '=', where.fn.any(where.val(workspaceIds))),
            where.or([where('visibility', '=', 'workspace'), where('author_account_id', '=', accountId)]),
          ]),
        ]),
      )
      .$if(membership !== null, (all) => all.where('workspace_id', '=', membership?.workspaceId ?? ''))
      .$if(author === 'me', (all) => all.where('author_account_id', '=', accountId))
      .$if(category !== undefined, (all) => all.where('category', '=', category ?? ''))
      .$if(model !== undefined, (all) => all.where('model', '=', model ?? ''))
      .$if(entity !== undefined, (all) =>
        all.where(sql<boolean>`lower(${entity ?? ''}) IN (lower(entity_name), lower(entity_ticker))`),
      ) as typeof query;
}

/** Counts the events that an account created. */
export async function countEvents(executor: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    SELECT count(*)::int AS events FROM event_forecast WHERE author_account_id = ${accountId}`.execute(
    executor.query(),
  );
  return rows[0]?.events ?? 0;
}
