import { sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '../../../src/calendar/index.ts';
import type { EventForecast, EventResolution, Visibility } from '../../../src/contract/index.ts';
import type { Database, Executor } from '../../../src/platform/index.ts';
import type { StampPolicy } from '../../../src/provenance/index.ts';
import { insertEvents, type NewEvent } from '../../../src/scout/events/store-events.ts';
import type { EventRow, ScoutTables } from '../../../src/scout/tables.ts';

/** Stamps nothing. */
export const NO_STAMPS: StampPolicy = { isConfigured: false, selection: 'accounts' };

export const EVENTS = '/v1/forecasts';

export type EventView = z.output<typeof EventForecast>;
export type ResolutionView = z.output<typeof EventResolution>;

/** Returns a valid request body. */
export function eventRequest(fields: object = {}): object {
  return {
    category: 'earnings',
    entity: { type: 'company', name: 'Acme', ticker: 'ACME' },
    question: 'Will Acme beat the consensus of the third quarter?',
    possible_future_headline: 'Acme beats the consensus',
    probability: 0.7,
    input_cutoff_at: '2024-01-31T00:00:00Z',
    resolution_deadline: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    ...fields,
  };
}

export const YES = { outcome: 'yes', actual_outcome: 'It did.', resolution_source: 'The report' };
export const NO = { outcome: 'no', actual_outcome: 'It did not.', resolution_source: 'The report' };

export interface EventSpec extends Partial<Omit<NewEvent, 'authorId'>> {
  readonly author: string;
  readonly visibility?: Visibility;
}

let made = 0;

/** Inserts an event without the API. */
export async function makeEvent(
  database: Database,
  { author, ...fields }: EventSpec,
  now = new Date(),
  stamps: StampPolicy = NO_STAMPS,
): Promise<{ id: string; slug: string }> {
  const event: NewEvent = {
    slug: `an-event-${process.pid}-${++made}`,
    authorId: author,
    workspaceId: null,
    visibility: fields.workspaceId ? 'workspace' : 'private',
    category: 'earnings',
    entity: { type: 'company', name: 'Acme', ticker: 'ACME' },
    question: 'Will Acme beat the consensus of the third quarter?',
    headline: 'Acme beats the consensus',
    probability: 0.7,
    inputCutoffAt: now,
    deadline: new Date(now.getTime() + 30 * DAY_MS),
    model: null,
    rule: null,
    origin: null,
    ...fields,
  };
  const [row] = await database.transaction((tx) => insertEvents(tx, [event], { stamps, now }));
  if (row === undefined) throw new Error('The slug is taken.');
  return { id: row.id, slug: row.slug };
}

/** Reads the row of an event. */
export function readEventRow(executor: Executor, id: string): Promise<EventRow> {
  return executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Marks an event as resolved, without a score. */
export async function markResolved(executor: Executor, id: string): Promise<void> {
  await sql`
    UPDATE event_forecast
    SET status = 'resolved_yes', resolved_at = now(), resolved_by = 'author', actual_outcome = 'It did.',
      resolution_source = 'The report', next_check_at = NULL
    WHERE id = ${id}`.execute(executor.query());
}

/** Returns an event to pending. */
export async function markPending(executor: Executor, id: string): Promise<void> {
  await sql`
    UPDATE event_forecast
    SET status = 'pending', resolved_at = NULL, resolved_by = NULL, actual_outcome = NULL, resolution_source = NULL,
      outcome_known_at = NULL, evidence = NULL, scored_revision = NULL, scored_probability = NULL, log_score = NULL,
      brier_score = NULL
    WHERE id = ${id}`.execute(executor.query());
}

/** Moves the predictions of a stored forecast to future days, because questions are only possible about those. */
export async function moveToFuture(executor: Executor, id: string): Promise<void> {
  const first = Math.floor(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS;
  const { rows } = await sql<{ result: { predictions: { timestamp: string }[] } }>`
    SELECT result FROM forecast WHERE id = ${id}`.execute(executor.query());
  const [row] = rows;
  if (row === undefined) return;
  const predictions = row.result.predictions.map((prediction, i) => ({
    ...prediction,
    timestamp: new Date(first + i * DAY_MS).toISOString(),
  }));
  await sql`UPDATE forecast SET result = ${JSON.stringify({ ...row.result, predictions })}::json WHERE id = ${id}`.execute(
    executor.query(),
  );
}
