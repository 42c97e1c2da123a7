import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import { stampedBefore } from '../../provenance/index.ts';
import type { ScoutTables } from '../tables.ts';

/** The number of the scored revision of a question; 1 if the question has no score. */
export const COUNTED_REVISION = sql<number>`coalesce(event_forecast.scored_revision, 1)`;

const OUTCOME_KNOWN_AT = sql<Date>`coalesce(event_forecast.outcome_known_at, event_forecast.resolved_at)`;

/** Returns the condition that a revision of a question was stamped before an instant. */
function isStamped(revision: RawBuilder<number>, instant: RawBuilder<Date>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT FROM event_revision
    WHERE event_revision.event_id = event_forecast.id AND event_revision.number = ${revision}
      AND ${stampedBefore(sql`event_revision.content_cid`, instant)}
  )`;
}

/** Whether the counted probability was stamped before the outcome was known. */
export const STAMPED_IN_TIME = isStamped(COUNTED_REVISION, OUTCOME_KNOWN_AT);

/** While a question is pending, its latest revision counts, and every stamp is in time. */
const STAMPED = sql<boolean>`CASE WHEN event_forecast.status = 'pending'
  THEN ${isStamped(sql`event_forecast.revision`, sql`'infinity'::timestamptz`)} ELSE ${STAMPED_IN_TIME} END`;

/** Returns those of the events whose counted probability is proven by a stamp. */
export async function findStamped(executor: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select('id')
    .where('id', 'in', ids)
    .where(STAMPED)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
