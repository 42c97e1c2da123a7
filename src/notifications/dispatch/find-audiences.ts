import { sql } from 'kysely';
import type { OutboxEvent, OutboxEventType, Transaction } from '../../platform/index.ts';

/** What an event is about, and who may see it. */
export interface Audience {
  readonly subject: string;
  /** The id of the forecast, event or filter. A receipt can be about a revision of an event. */
  readonly object_id: string;
  /** The account that it belongs to; null if that account can no longer read it. */
  readonly account_id: string | null;
  /** The workspace whose members can see it. */
  readonly workspace_id: string | null;
}

type Reader = (tx: Transaction, subjects: readonly string[]) => Promise<Audience[]>;

/** Members that lost their membership no longer read their own forecasts and events in a workspace. */
const isReadableByCreator = (
  creator: string,
  workspace: string,
) => sql<boolean>`(${sql.ref(workspace)} IS NULL OR EXISTS (
  SELECT FROM workspace_member AS member
  WHERE member.workspace_id = ${sql.ref(workspace)} AND member.account_id = ${sql.ref(creator)}))`;

const readForecasts: Reader = async (tx, subjects) => {
  const { rows } = await sql<Audience>`
    SELECT id AS subject, id AS object_id,
      CASE WHEN ${isReadableByCreator('forecast.account_id', 'forecast.workspace_id')} THEN account_id END AS account_id,
      CASE WHEN visibility <> 'private' THEN workspace_id END AS workspace_id
    FROM forecast WHERE id = ANY (${[...subjects]}::text[])`.execute(tx.query());
  return rows;
};

const readEvents: Reader = async (tx, subjects) => {
  const { rows } = await sql<Audience>`
    SELECT subject, event.id AS object_id,
      CASE WHEN ${isReadableByCreator('event.author_account_id', 'event.workspace_id')} THEN author_account_id END
        AS account_id,
      CASE WHEN visibility <> 'private' THEN workspace_id END AS workspace_id
    FROM (
      SELECT id AS subject, id AS event_id FROM event_forecast WHERE id = ANY (${[...subjects]}::text[])
      UNION ALL SELECT id, event_id FROM event_revision WHERE id = ANY (${[...subjects]}::text[])
    ) AS named JOIN event_forecast AS event ON event.id = named.event_id`.execute(tx.query());
  return rows;
};

const readFilters: Reader = async (tx, subjects) => {
  const { rows } = await sql<Audience>`
    SELECT id AS subject, id AS object_id, account_id, NULL AS workspace_id
    FROM screener_filter WHERE id = ANY (${[...subjects]}::text[])`.execute(tx.query());
  return rows;
};

const READERS: Readonly<Record<OutboxEventType, readonly Reader[]>> = {
  'forecast.completed': [readForecasts],
  'forecast.failed': [readForecasts],
  'forecast.outcome': [readForecasts],
  'receipt.stamped': [readForecasts, readEvents],
  'event.resolved': [readEvents],
  'screener.matched': [readFilters],
};

/** Returns the audience of each event, by its subject. What was deleted since has none. */
export async function findAudiences(
  tx: Transaction,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<string, Audience>> {
  const readers = new Set(events.flatMap(({ type }) => READERS[type]));
  const found = new Map<string, Audience>();
  for (const read of readers) {
    const subjects = events.filter(({ type }) => READERS[type].includes(read)).map(({ subject }) => subject);
    for (const audience of await read(tx, [...new Set(subjects)])) found.set(audience.subject, audience);
  }
  return found;
}
