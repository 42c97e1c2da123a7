import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { removeAccountWithContents } from '../../src/compose/index.ts';
import { checkLedger, FORECAST_QUEUE, isLedgerSound } from '../../src/forecasts/index.ts';
import { lockAccount } from '../../src/identity/index.ts';
import { createLog, type Database, systemClock } from '../../src/platform/index.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import {
  dailyPoints,
  FORECASTS,
  type ForecastService,
  type Started,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { makeDelivery, makeWebhook } from '../support/notifications/make-webhook.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows, tablesContaining } from '../support/platform/rows.ts';
import { makeEvent, readEventRow } from '../support/scout/events.ts';
import { makeFilter } from '../support/screener/filters.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import {
  makeMember,
  makeWorkspace,
  personalWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

function remove({ database }: ForecastService, email: string) {
  return removeAccountWithContents({ database, clock: systemClock, log: createLog('silent') }, email);
}

/** Creates a forecast of one model. Returns its id. */
async function startForecast({ request }: Registered, fields: object = {}): Promise<string> {
  const source = { type: 'inline', points: dailyPoints() };
  const { data, body } = await request<Started>('POST', FORECASTS, {
    source,
    horizon: 3,
    models: ['theta'],
    ...fields,
  });
  assert.ok(data, body);
  return data.forecast_id;
}

/** Returns how many rows refer to an account, by table and column, for every foreign key to the table of accounts. */
async function countReferences(database: Database, accountId: string): Promise<Record<string, number>> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    SELECT conrelid::regclass::text AS table, attname AS column
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND confrelid = 'account'::regclass
    ORDER BY 1, 2`.execute(database.query());
  const counts: Record<string, number> = {};
  for (const { table, column } of columns) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${accountId}
    `.execute(database.query());
    counts[`${table}.${column}`] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** Stores rows that only sign-ins, an external issuer, mailed links, a screener run, emails and billed reads would store. */
async function addRareRows(database: Database, { id, email }: Registered): Promise<void> {
  const db = database.query();
  const client = 'app_of_a_removed_account';
  await sql`INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES (${client}, 'x', '{}', now())`.execute(
    db,
  );
  for (const model of ['Grant', 'RefreshToken']) {
    await sql`
      INSERT INTO oauth_record (model, id, payload, grant_id, account_id, client_id, created_at, expires_at)
      VALUES (${model}, ${`record_of_${id}`}, '{}', 'g', ${id}, ${client}, now(), now() + interval '1 day')`.execute(
      db,
    );
  }
  await sql`
    INSERT INTO browser_session (id, account_id, secret_hash, created_at, expires_at)
    VALUES (${`ses_${id}`}, ${id}, ${`hash of ${id}`}, now(), now() + interval '1 day')`.execute(db);
  await sql`
    INSERT INTO outside_identity (id, issuer, subject, account_id, linked_at, last_used_at)
    VALUES (${`idn_${id}`}, 'https://issuer.example', ${`subject of ${id}`}, ${id}, now(), now())`.execute(db);
  for (const [kind, account] of [
    ['reset_password', id],
    ['sign_up', null],
  ] as const) {
    await sql`
      INSERT INTO account_link (id, kind, email, account_id, created_at, expires_at)
      VALUES (${`${kind}_${id}`}, ${kind}, ${email}, ${account}, now(), now() + interval '1 day')`.execute(db);
  }
  await sql`
    INSERT INTO screener_mail (id, account_id, session, state, attempts, created_at, updated_at)
    VALUES (${`mail_of_${id}`}, ${id}, '2026-03-06', 'failed', 1, now(), now())`.execute(db);
  await sql`
    INSERT INTO notification_choice (account_id, forecasts, outcomes, updated_at) VALUES (${id}, true, true, now())`.execute(
    db,
  );
  await sql`
    INSERT INTO notification_mail (id, account_id, state, send_at, created_at)
    VALUES (${`notification_of_${id}`}, ${id}, 'queued', now(), now())`.execute(db);
  await sql`
    INSERT INTO notification_line (event_id, account_id, type, forecast_id, created_at)
    VALUES (${`event_of_${id}`}, ${id}, 'forecast.completed', 'ef_of_a_removed_account', now())`.execute(db);
  await sql`INSERT INTO warehouse_read (account_id, at, bytes) VALUES (${id}, now(), 10485760)`.execute(db);
}

async function readOwner(database: Database, forecastId: string): Promise<string | null> {
  const { rows } = await sql<{ owner: string }>`SELECT owner FROM forecast WHERE id = ${forecastId}`.execute(
    database.query(),
  );
  return rows[0]?.owner ?? null;
}

async function readJobState(database: Database, forecastId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    SELECT state::text FROM queue.job WHERE name = ${FORECAST_QUEUE} AND data->>'forecast_id' = ${forecastId}
  `.execute(database.query());
  return rows[0]?.state;
}

forEachService('removes an account with everything that belongs to it', async (service, owner) => {
  const { database } = service;
  const leaving = await register(service);
  const personal = await personalWorkspace(database, leaving.id);
  const research = await makeWorkspace(database, leaving.id);
  const foreign = await makeWorkspace(database, owner.id, 'Foreign');
  await makeMember(database, foreign.id, leaving.id, { role: 'editor' });
  for (const { id } of [personal, research, foreign]) await makeCsvFile(database, id, leaving.id);
  await leaving.request('POST', `${WORKSPACES}/${research.id}/collaborators`, {
    email: `invited-by-${leaving.id}@example.org`,
    role: 'viewer',
  });
  const own = await startForecast(leaving);
  const ended = await startForecast(leaving);
  await leaving.request('POST', `${FORECASTS}/${ended}/cancel`);
  const inResearch = await startForecast(leaving, { workspace_id: research.id });
  const shared = await startForecast(leaving, { workspace_id: foreign.id });
  const hidden = await startForecast(leaving, { workspace_id: foreign.id, visibility: 'private' });
  await sql`UPDATE workspace_member SET forecasts_scope_ids = ${[shared, hidden]}
    WHERE workspace_id = ${foreign.id} AND account_id = ${owner.id}`.execute(database.query());
  const ownEvent = await makeEvent(database, { author: leaving.id, visibility: 'public' });
  const sharedEvent = await makeEvent(database, { author: leaving.id, workspaceId: foreign.id });
  await makeFilter(database, leaving.id);
  await makeFeed(service.identity, leaving.id);
  for (const place of [{ accountId: leaving.id }, { workspaceId: research.id }, { workspaceId: foreign.id }])
    await makeDelivery(database, await makeWebhook(database, place));
  await addRareRows(database, leaving);
  // A forecast that the account still pays for, because it owned the workspace when the forecast was created.
  const paid = await startForecast(owner);
  await sql`UPDATE forecast SET payer = ${leaving.id} WHERE id = ${paid}`.execute(database.query());
  await sql`UPDATE ledger_entry SET owner = ${leaving.id} WHERE forecast_id = ${paid}`.execute(database.query());
  await sql`UPDATE admission SET active = active + 1 WHERE owner = ${leaving.id}`.execute(database.query());
  await sql`UPDATE admission SET active = active - 1 WHERE owner = ${owner.id}`.execute(database.query());
  assert.ok(isLedgerSound(await checkLedger(database)));
  const before = await countReferences(database, leaving.id);
  assert.deepEqual(
    Object.entries(before).filter(([, count]) => count === 0),
    [],
    'the test covers every table that refers to accounts',
  );

  const { id, email, ...result } = await remove(service, leaving.email.toUpperCase());
  assert.deepEqual([id, email], [leaving.id, leaving.email]);
  assert.deepEqual(result, {
    removed: {
      workspaces: 2,
      csv_files: 2,
      forecasts: 4,
      events: 1,
      filters: 1,
      feeds: 1,
      webhooks: 2,
      memberships: 1,
      api_keys: 1,
      sessions: 1,
      grants: 1,
    },
    canceled_forecasts: 5,
    handed_over: { forecasts: 1, events: 1 },
  });
  const after = await countReferences(database, leaving.id);
  assert.deepEqual(Object.values(after), Object.values(after).fill(0));
  assert.deepEqual(await tablesContaining(database, leaving.email), []);
  // The ledger, the payers that it refers to and the histories of events are never changed; the rate limits forget
  // callers after minutes.
  const kept = ['event_audit', 'event_revision', 'forecast', 'ledger_entry', 'rate_window'];
  assert.deepEqual(
    await tablesContaining(database, leaving.id),
    kept.map((table) => `public.${table}`),
  );
  assert.ok(isLedgerSound(await checkLedger(database)));

  for (const gone of [own, ended, inResearch, hidden]) assert.equal(await readOwner(database, gone), null);
  assert.equal(await readJobState(database, own), undefined);
  for (const canceled of [shared, paid]) assert.match((await readJobState(database, canceled)) ?? '', /^cancel/);
  assert.equal(await readOwner(database, shared), owner.id);
  assert.equal((await readEventRow(database, sharedEvent.id)).author_account_id, owner.id);
  await assert.rejects(readEventRow(database, ownEvent.id));
  const { rows: scopes } = await sql<{ ids: string[] }>`
    SELECT forecasts_scope_ids AS ids FROM workspace_member WHERE workspace_id = ${foreign.id}
  `.execute(database.query());
  assert.deepEqual(scopes, [{ ids: [shared] }]);
  const files = await owner.request<{ files: unknown[] }>('GET', `${WORKSPACES}/${foreign.id}/csv`);
  assert.equal(files.data.files.length, 1, 'a file in the workspace of another owner stays');
  const { data: webhooks } = await owner.request<{ webhooks: unknown[] }>(
    'GET',
    `${WORKSPACES}/${foreign.id}/webhooks`,
  );
  assert.equal(webhooks.webhooks.length, 1, 'a webhook of the workspace of another owner stays');
  assert.equal((await owner.request('GET', `${FORECASTS}/${shared}`)).status, 200);
  assert.equal((await leaving.request('GET', '/v1/me/access')).status, 401);
  await assert.rejects(remove(service, leaving.email), { code: 'NOT_FOUND' });
});

forEachService('refuses to remove the owner of a workspace with other members', async (service, owner) => {
  const { database } = service;
  const workspace = await makeWorkspace(database, owner.id, 'Shared');
  const member = await register(service);
  await makeMember(database, workspace.id, member.id);
  await startForecast(owner, { workspace_id: workspace.id });
  const before = await readComparableRows(database);
  await assert.rejects(remove(service, owner.email), {
    code: 'CONFLICT',
    message: `The account owns the workspace ${workspace.slug}, which has other members. Transfer or delete it first, or remove the members.`,
  });
  assert.deepEqual(await readComparableRows(database), before);
  assert.deepEqual((await remove(service, member.email)).removed.memberships, 1);
  assert.equal((await remove(service, owner.email)).removed.workspaces, 2);
});

forEachService('leaves no slot or job behind when requests of the account run at the same time', async (service) => {
  const { database } = service;
  for (let round = 0; round < 3; round++) {
    const leaving = await register(service);
    const source = { type: 'inline', points: dailyPoints() };
    const body = { source, horizon: 3, models: ['theta'] };
    const requests = Array.from({ length: 3 }, () => leaving.request<Started>('POST', FORECASTS, body));
    const [removal, ...replies] = await Promise.all([
      remove(service, leaving.email).catch((error: unknown) => error),
      ...requests,
    ]);
    if (removal instanceof Error)
      assert.equal((removal as Error & { code?: string }).code, 'CONFLICT', String(removal));
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual(
      statuses.filter((status) => ![202, 401, 503].includes(status)),
      [],
      replies.map((r) => r.body).join(),
    );
    if (removal instanceof Error) await remove(service, leaving.email);
    const { rows } = await sql`
      SELECT 1 FROM admission WHERE owner = ${leaving.id} UNION ALL SELECT 1 FROM forecast WHERE owner = ${leaving.id}
    `.execute(database.query());
    assert.equal(rows.length, 0);
    const ledger = await checkLedger(database);
    assert.ok(isLedgerSound(ledger), JSON.stringify(ledger));
  }
});

forEachService('locks the account before its feeds, as the requests that change feeds do', async (service) => {
  // The other database has one connection, on which transactions cannot wait for each other.
  if (testedKind !== 'postgres') return;
  const { database } = service;
  const leaving = await register(service);
  const { id: feedId } = await makeFeed(service.identity, leaving.id);
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.query());
    return rows[0]?.count ?? 0;
  };
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = database.transaction(async (tx) => {
    await lockAccount(tx, leaving.id);
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const deletion = leaving.request('DELETE', `/v1/feeds/${feedId}`);
  await waitFor(countWaiting, (count) => count === 1);
  const removal = remove(service, leaving.email);
  await waitFor(countWaiting, (count) => count === 2);
  // Fails if one of them has locked the feed. A request that creates a feed would then wait for it, and it for the request.
  const free = sql`SELECT 1 FROM feed WHERE id = ${feedId} FOR UPDATE NOWAIT`.execute(database.query());
  const { rows } = await free.finally(release.resolve);
  assert.equal(rows.length, 1);
  const [{ status }, removed] = await Promise.all([deletion, removal, holder]);
  assert.deepEqual([status, removed.id], [200, leaving.id]);
});
