import { sql } from 'kysely';
import type { Visibility } from '../../src/contract/index.ts';
import { type Database, newId } from '../../src/platform/index.ts';
import { entryId } from '../../src/scout/events/history.ts';

/** The ids of a file, a completed forecast and a pending event with one revision. */
export interface Templates {
  readonly csv: string;
  readonly forecast: string;
  readonly event: string;
}

export interface Place {
  readonly workspaceId: string;
  /** The account that creates the forecast and the event. */
  readonly author: string;
  /** The guest who creates the forecast instead, in no workspace. */
  readonly guestId?: string | undefined;
  readonly visibility: Visibility;
}

/** The proof of the template is about another event. */
const NO_PROOF = { content_cid: null, proof_hash: null, proof_salt: null };

const named = (id: string) => ({ id, slug: `a-${id.slice(-26).toLowerCase()}` });

/** Copies the templates in one statement: the tests open a hundred scenes. */
export async function copyResources(
  database: Database,
  templates: Templates,
  { workspaceId, author, guestId, visibility }: Place,
) {
  const [csv, forecast, event] = [newId('csv'), named(newId('ef')), named(newId('evt'))];
  const inside = { workspace_id: workspaceId, visibility };
  const location = guestId
    ? { workspace_id: null, visibility: 'private', account_id: null, guest_id: guestId }
    : { ...inside, account_id: author, guest_id: null };
  const owner = guestId ?? author;
  const entry = { id: entryId(event.id, 1), event_id: event.id };
  await sql`
    WITH file AS (${copyOf('csv_file', 'id', templates.csv, { id: csv, workspace_id: workspaceId })}),
      chunks AS (${copyOf('csv_chunk', 'file_id', templates.csv, { file_id: csv })}),
      forecasts AS (${copyOf('forecast', 'id', templates.forecast, { ...forecast, owner, payer: owner, ...location })}),
      outcomes AS (${copyOf('forecast_outcome', 'forecast_id', templates.forecast, { forecast_id: forecast.id })}),
      events AS (${copyOf('event_forecast', 'id', templates.event, { ...event, author_account_id: author, ...inside })}),
      revisions AS (${copyOf('event_revision', 'event_id', templates.event, { ...entry, ...NO_PROOF, author_account_id: author })}),
      audit AS (${copyOf('event_audit', 'event_id', templates.event, { ...entry, actor_account_id: author })})
    INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
    SELECT ${forecast.id}, number, kind, data, created_at FROM forecast_event WHERE forecast_id = ${templates.forecast}
  `.execute(database.query());
  return { csv, forecast, event };
}

/** Returns a statement that copies the rows of the template with these changes. */
function copyOf(table: string, column: string, template: string, changes: object) {
  return sql`
    INSERT INTO ${sql.table(table)}
    SELECT (jsonb_populate_record(${sql.ref(table)}, ${JSON.stringify(changes)}::jsonb)).*
    FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${template}`;
}
