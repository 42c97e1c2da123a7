import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createWorkspaceContext } from '../../src/compose/domains.ts';
import { Fault } from '../../src/contract/index.ts';
import { checkLedger, checkStorage, isLedgerSound } from '../../src/forecasts/index.ts';
import { checkOutcome } from '../../src/forecasts/outcomes/check-outcome.ts';
import { eraseAccount } from '../../src/ownership/index.ts';
import { testErasePages } from '../api/console-erase.ts';
import { type ConsoleBrowser, openBrowser } from '../support/api/console-browser.ts';
import { FORECAST_PAGES, pageReader, RESULT_FILES } from '../support/api/public-pages.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import { create, FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { PASSWORD, withKey } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows, tablesContaining } from '../support/platform/rows.ts';
import { makeEvent } from '../support/scout/events.ts';
import { makeMember, makeWorkspace, personalWorkspace } from '../support/workspaces/workspaces.ts';
import { testExport } from './export-account.ts';

interface Erased {
  readonly removed: Readonly<Record<string, number>>;
  readonly canceled_forecasts: number;
  readonly kept_forecasts: number;
  readonly handed_over: object;
}

let service: ForecastService;
before(async () => {
  service = await openForecastService(testedKind);
});
after(() => service?.[Symbol.asyncDispose]());

const idOf = ({ caller }: ConsoleBrowser) => caller.accountId ?? '';

function erase({ caller }: ConsoleBrowser, fields: object = {}) {
  return caller.request<Erased>('DELETE', '/v1/me', { current_password: PASSWORD, ...fields });
}

async function assertSound(): Promise<void> {
  const ledger = await checkLedger(service.database);
  assert.ok(isLedgerSound(ledger), JSON.stringify(ledger));
  assert.deepEqual(await checkStorage(service.database), []);
}

describe(`the data of an account [${testedKind}]`, () => {
  test('erases an account, and chosen public forecasts stay without an owner', async () => {
    const { database, app } = service;
    const leaving = await openBrowser(service, 'enterprise');
    const other = await openBrowser(service, 'pro');
    const id = idOf(leaving);
    const { id: personal } = await personalWorkspace(database, id);
    const kept = await createCompleted(service, leaving.caller, { visibility: 'public', title: 'It stays' });
    const inWorkspace = await createCompleted(service, leaving.caller, {
      visibility: 'public',
      workspace_id: personal,
      source: { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' },
    });
    const gone = await createCompleted(service, leaving.caller, { visibility: 'public', title: 'It goes' });
    const { data: running } = await create(leaving.caller);
    const shared = await makeWorkspace(database, idOf(other), 'Of another');
    await makeMember(database, shared.id, id, { role: 'editor' });
    const handed = await createCompleted(service, leaving.caller, { workspace_id: shared.id });
    const question = await makeEvent(database, { author: id, visibility: 'public' });

    const { data: listed } = await leaving.caller.request<{
      removed: Record<string, { total: number }>;
      memberships: object[];
      public_forecasts: { total: number; items: { id: string; name: string }[] };
      unfinished_forecasts: number;
    }>('GET', '/v1/me/erasure');
    assert.deepEqual(
      [listed.removed.forecasts?.total, listed.removed.events?.total, listed.unfinished_forecasts],
      [4, 1, 1],
    );
    assert.deepEqual(listed.memberships, [{ ...shared, name: 'Of another', forecasts: 1, events: 0 }]);
    assert.deepEqual(
      listed.public_forecasts.items.map(({ name }) => name).sort(),
      ['It goes', 'It stays', 'us-cpi, 3 months'].sort(),
    );

    const { status, data, cookies, body } = await erase(leaving, {
      keep_public: [kept.forecast_id, inWorkspace.forecast_id],
    });
    assert.equal(status, 200, body);
    assert.deepEqual(data, {
      erased: true,
      removed: {
        workspaces: 1,
        csv_files: 0,
        forecasts: 2,
        events: 1,
        filters: 0,
        feeds: 0,
        webhooks: 0,
        memberships: 1,
        api_keys: 0,
        sessions: 1,
        applications: 0,
      },
      canceled_forecasts: 1,
      kept_forecasts: 2,
      handed_over: { forecasts: 1, events: 0 },
    });
    assert.match(cookies.join(), /almanac_session=;.*Max-Age=0/);
    await assertSound();
    assert.equal((await leaving.caller.request('GET', '/v1/me/access')).status, 401);
    assert.deepEqual(await tablesContaining(database, leaving.email), []);
    const naming = await sql<{ id: string }>`
      SELECT forecast.id FROM forecast WHERE id IN (${kept.forecast_id}, ${inWorkspace.forecast_id})
        AND strpos(forecast::text, ${id}) > 0`.execute(database.query());
    assert.deepEqual(naming.rows, [], 'a nameless forecast does not have the id of the account');

    const open = pageReader(app);
    for (const { slug } of [kept, inWorkspace]) {
      for (const path of [...FORECAST_PAGES(slug), ...RESULT_FILES(slug).filter((file) => !file.endsWith('png'))]) {
        assert.equal((await open(path)).status, 200, path);
      }
    }
    for (const path of [`/forecasts/${gone.slug}`, `/questions/${question.slug}`, `/forecasts/${running.slug}`]) {
      assert.equal((await open(path)).status, 404, path);
    }
    const path = `${FORECASTS}/${kept.forecast_id}`;
    const { data: actions } = await other.caller.request('GET', `${path}/actions`);
    assert.deepEqual(actions, { forecast_id: kept.forecast_id, is_own: false, actions: ['reproduce'] });
    for (const request of [
      other.caller.request('PATCH', path, { title: 'Mine now' }),
      other.caller.request('DELETE', path),
      other.caller.request('POST', `${path}/cancel`),
    ]) {
      assert.equal((await request).status, 403);
    }
    // Rows that were sent with the request do not become public, and neither owner nor member is left to read them.
    assert.equal((await other.caller.request('GET', `${path}/history`)).status, 403);
    assert.equal((await other.caller.request('GET', `${path}/proof`)).status, 200);
    assert.equal((await other.caller.request('POST', `${path}/reproduce`)).status, 202);
    assert.equal((await other.caller.request('GET', `${FORECASTS}/${handed.forecast_id}`)).status, 200);
    await assertSound();
  });

  test('records the outcome of a nameless forecast with the rights that every guest has', async () => {
    const { database, forecasts } = service;
    const leaving = await openBrowser(service, 'pro');
    const source = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
    const { forecast_id: id } = await createCompleted(service, leaving.caller, { visibility: 'public', source });
    assert.equal((await erase(leaving, { keep_public: 'all' })).data.kept_forecasts, 1);
    const readers: unknown[] = [];
    const now = new Date('2046-01-01T00:00:00Z');
    await sql`UPDATE forecast_outcome SET next_check_at = ${now}, opened_at = ${now} WHERE forecast_id = ${id}`.execute(
      database.query(),
    );
    const readRows = async ({ accountId }: { accountId: string | undefined }) => {
      readers.push(accountId);
      throw new Fault('UNAVAILABLE', 'not now');
    };
    await checkOutcome(forecasts, id, { readRows, now });
    assert.deepEqual(readers, [undefined]);
    const { rows } = await sql`SELECT reason FROM forecast_outcome WHERE forecast_id = ${id}`.execute(database.query());
    assert.deepEqual(rows, [{ reason: 'not now' }]);
  });

  test('keeps all public forecasts if that is chosen', async () => {
    const leaving = await openBrowser(service, 'pro');
    const { slug } = await createCompleted(service, leaving.caller, { visibility: 'public' });
    await create(leaving.caller, { visibility: 'public' });
    const { data } = await erase(leaving, { keep_public: 'all' });
    assert.deepEqual([data.kept_forecasts, data.removed.forecasts, data.canceled_forecasts], [1, 1, 1]);
    assert.equal((await pageReader(service.app)(`/forecasts/${slug}`)).status, 200);
    // Its cost stays, added to that of removed forecasts, so that no entry links the forecast to the account.
    const { rows } = await sql`SELECT forecast_id FROM ledger_entry WHERE owner = ${idOf(leaving)}
      AND transfer NOT LIKE 'removed:%'`.execute(service.database.query());
    assert.deepEqual(rows, []);
    await assertSound();
  });

  test('refuses what it cannot do, and changes nothing', async () => {
    const { database } = service;
    const leaving = await openBrowser(service, 'pro');
    const other = await openBrowser(service, 'pro');
    const privately = await createCompleted(service, leaving.caller);
    const foreign = await createCompleted(service, other.caller, { visibility: 'public' });
    const workspace = await makeWorkspace(database, idOf(other), 'Shared');
    await makeMember(database, workspace.id, idOf(leaving));
    const key = await withKey(service.identity, idOf(leaving), ['account:read']);
    const before = await readComparableRows(database);
    const refused = async (browser: ConsoleBrowser, fields: object, [status, message]: [number, RegExp]) => {
      const reply = await erase(browser, fields);
      assert.equal(reply.status, status, reply.body);
      assert.match(reply.body, message);
    };
    await refused(other, {}, [409, /owns the workspace shared[^ ]*, which has other members/]);
    for (const id of [privately.forecast_id, foreign.forecast_id, 'ef_none', "' OR 1=1 --"]) {
      await refused(leaving, { keep_public: [id] }, [400, /keep_public: .* cannot stay/]);
    }
    const invalid = ['some', null, [1], ['a'.repeat(101)], Array.from({ length: 201 }, (_, i) => `ef_${i}`), {}];
    const rule = /keep_public: must be all, or a list of at most 200 ids of public forecasts/;
    for (const keep_public of invalid)
      await refused(leaving, { keep_public }, [400, keep_public === 'some' ? rule : /keep_public/]);
    await refused(leaving, { current_password: '' }, [400, /current_password/]);
    await refused(leaving, { surprise: true }, [400, /surprise/]);
    for (const [method, url] of [
      ['DELETE', '/api/v1/me'],
      ['GET', '/api/v1/me/erasure'],
      ['GET', '/api/v1/me/export'],
    ] as const) {
      const response = await service.app.inject({ method, url, headers: key });
      assert.deepEqual([response.statusCode, response.json().error.code], [403, 'SESSION_REQUIRED'], url);
    }
    assert.deepEqual(await readComparableRows(database), before);
  });

  test('an erasure that comes second is told that the account is gone', async () => {
    const { database, queue, identity } = service;
    const leaving = await openBrowser(service, 'pro');
    const { forecast_id } = await createCompleted(service, leaving.caller, { visibility: 'public' });
    assert.equal((await erase(leaving)).status, 200);
    const context = { ...createWorkspaceContext({ database, clock: identity.clock }, { queue }), queue };
    const account = { id: idOf(leaving), email: leaving.email };
    await assert.rejects(eraseAccount(context, { account, keepPublic: [forecast_id], leavesAdministrator: true }), {
      code: 'NOT_FOUND',
    });
  });

  test('limits guesses of the password and records them', async () => {
    const leaving = await openBrowser(service, 'pro');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      statuses.push((await erase(leaving, { current_password: 'a wrong guess' })).status);
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429]);
    const { data } = await leaving.caller.request<{ events: { kind: string }[] }>('GET', '/v1/me/security-events');
    assert.equal(data.events[0]?.kind, 'password_change_failed');
  });

  test('erases once while requests, workers and a second erasure run at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const leaving = await openBrowser(service, 'enterprise');
      const { forecast_id } = await createCompleted(service, leaving.caller, { visibility: 'public' });
      const { id: personal } = await personalWorkspace(service.database, idOf(leaving));
      const started = Array.from({ length: 2 }, () => create(leaving.caller, { workspace_id: personal }));
      const erasures = [erase(leaving, { keep_public: [forecast_id] }), erase(leaving, { keep_public: [forecast_id] })];
      const signIn = leaving.caller.request('POST', '/v1/sessions', { email: leaving.email, password: PASSWORD });
      const [first, second, ...others] = await Promise.all([...erasures, ...started, signIn]);
      const statuses = [first?.status, second?.status].sort();
      // If all of them lost against other requests, the account is as it was.
      if (!statuses.includes(200)) assert.equal((await erase(leaving)).status, 200, statuses.join());
      assert.ok(
        statuses.every((status) => [200, 401, 404, 409, 503].includes(status ?? 0)),
        statuses.join(),
      );
      assert.ok(
        others.every(({ status }) => [201, 202, 401, 403, 404, 503].includes(status)),
        others.map((o) => o.body).join(),
      );
      const { rows } = await sql`
        SELECT 1 FROM account WHERE id = ${idOf(leaving)} UNION ALL SELECT 1 FROM forecast WHERE owner = ${idOf(leaving)}
        UNION ALL SELECT 1 FROM admission WHERE owner = ${idOf(leaving)}`.execute(service.database.query());
      assert.equal(rows.length, 0);
      await assertSound();
    }
  });

  testExport(() => service);
  testErasePages(() => service);
});
