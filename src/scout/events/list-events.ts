import type { Account } from '../../access/index.ts';
import type { EventStatus } from '../../contract/index.ts';
import { canonicalJson } from '../../engine/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { type EventChoice, visibleEvents } from './visible-events.ts';

export interface EventListRequest extends EventChoice, PageRequest {
  readonly status?: EventStatus | undefined;
  readonly source_forecast_id?: string | undefined;
}

/** A page of the events that the caller may see, newest first. */
export async function listEvents(
  context: ScoutContext,
  principal: Account,
  { limit, cursor, ...choice }: EventListRequest,
): Promise<{ events: EventRow[]; nextCursor: string | null }> {
  const { status, source_forecast_id: source } = choice;
  const visible = await visibleEvents(context.database, principal, choice, 'event.list');
  const query = visible(context.database.query<ScoutTables>().selectFrom('event_forecast').selectAll())
    .$if(status !== undefined, (all) => all.where('status', '=', status ?? 'pending'))
    .$if(source !== undefined, (all) => all.where('source_forecast_id', '=', source ?? ''));
  const list = canonicalJson({ events: principal.accountId, ...(JSON.parse(JSON.stringify(choice)) as object) });
  const { rows, nextCursor } = await readNewestFirst(await context.cursorKey(), list, { limit, cursor }, query);
  return { events: rows, nextCursor };
}
