import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { FEED_KINDS, type FeedKind, SCOPES, type Scope } from '../../src/contract/index.ts';
import { authenticateFeed } from '../../src/feeds/index.ts';
import { createApiKey, revokeApiKey, revokeGrants } from '../../src/identity/index.ts';
import type { TestApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import {
  answerOf,
  bodiesFor,
  completeForecast,
  createFeed,
  DENIED_LICENSES,
  FEEDS,
  openEdge,
  type ShownFeed,
  withScopes,
} from '../support/feeds/feed-scene.ts';
import {
  type Caller,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { mintAccessToken } from '../support/identity/access-tokens.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
/** The same service with denied licenses. */
let strict: TestApi;
let owner: Caller & { readonly accountId: string };
let forecast: { readonly id: string; readonly slug: string };

before(async () => {
  service = await openForecastService(testedKind);
  strict = await openEdge(service, { ALMANAC_DENIED_LICENSES: DENIED_LICENSES });
  owner = await makeOwner();
  forecast = await completeForecast(service, owner);
});
after(async () => {
  await strict?.app.close();
  await service?.[Symbol.asyncDispose]();
});

async function makeOwner(): Promise<Caller & { readonly accountId: string }> {
  const caller = await service.account();
  return { ...caller, accountId: caller.accountId ?? '' };
}

const SCOPE_OF: Record<FeedKind, Scope> = {
  history: 'datasets:read',
  observations: 'datasets:read',
  forecast: 'forecasts:read',
};

async function setAccount(id: string, fields: string): Promise<void> {
  await sql`UPDATE account SET ${sql.raw(fields)} WHERE id = ${id}`.execute(service.database.query());
}

for (const kind of FEED_KINDS) {
  describe(`a feed of the kind ${kind}`, () => {
    const body = () => bodiesFor(forecast.id)[kind];

    test('asks for the plan of its owner at each read', async () => {
      const { token } = await createFeed(owner, body());
      const answers: Record<string, string> = {};
      for (const fields of [
        "plan = 'pro'",
        "plan = 'free'",
        "plan = 'free', administrator = true, email_verified = false",
        "plan = 'free', administrator = true, email_verified = true",
        "plan = 'enterprise', administrator = false",
        "plan = 'pro'",
      ]) {
        await setAccount(owner.accountId, fields);
        answers[fields] = await answerOf(service.app, token);
      }
      assert.deepEqual(answers, {
        "plan = 'pro'": '200',
        "plan = 'free'": '403 PLAN_REQUIRED',
        "plan = 'free', administrator = true, email_verified = false": '403 PLAN_REQUIRED',
        "plan = 'free', administrator = true, email_verified = true": '200',
        "plan = 'enterprise', administrator = false": '200',
      });
    });

    test('needs the scope of its kind to be created, listed and deleted', async () => {
      const { id } = (await createFeed(owner, body())).data;
      for (const scope of ['datasets:read', 'forecasts:read', 'forecasts:write', 'account:read'] as const) {
        const caller = await withScopes(service, owner.accountId, [scope]);
        const isAllowed = scope === SCOPE_OF[kind];
        const isAdmitted = Object.values(SCOPE_OF).includes(scope);
        const created = await createFeed(caller, body());
        assert.equal(created.code, isAllowed ? undefined : 'SCOPE_DENIED', scope);
        if (!isAllowed)
          assert.match(String(created.headers['www-authenticate']), new RegExp(`scope="[^"]*${SCOPE_OF[kind]}`));
        const list = await caller.request<{ feeds: ShownFeed[] }>('GET', FEEDS);
        assert.equal(list.code, isAdmitted ? undefined : 'SCOPE_DENIED');
        assert.equal(list.data?.feeds.some((feed) => feed.id === id) ?? false, isAllowed, scope);
        const foreign = isAllowed ? 'feed_none' : id;
        const refused = await caller.request('DELETE', `${FEEDS}/${foreign}`);
        assert.equal(refused.code, isAdmitted ? 'NOT_FOUND' : 'SCOPE_DENIED');
        if (isAllowed) await caller.request('DELETE', `${FEEDS}/${created.data.id}`);
      }
      assert.equal((await owner.request('DELETE', `${FEEDS}/${id}`)).status, 200);
    });

    test('has only the scope of its kind', async () => {
      const { token } = await createFeed(owner, body());
      const principal = await authenticateFeed(service.identity, token);
      assert.deepEqual([principal?.accountId, principal?.scopes], [owner.accountId, [SCOPE_OF[kind]]]);
    });

    test('asks for the license at each read, and when it is created', async () => {
      const { token } = await createFeed(owner, body());
      assert.equal(await answerOf(strict.app, token), '403 LICENSE_DENIED');
      const refused = await createFeed({ request: requestAs(strict.app, owner.credentials) }, body());
      assert.equal(refused.code, 'LICENSE_DENIED');
      assert.equal(await answerOf(service.app, token), '200');
    });

    test('ends with the key or grant that created it, but not with a browser session', async () => {
      const { id, email } = await makeAccount(service.identity);
      const own = kind === 'forecast' ? await completeForecast(service, await asKey(id)) : forecast;
      const choice = bodiesFor(own.id)[kind];
      const parent = await createApiKey(service.identity, { accountId: id, name: 'parent', scopes: SCOPES });
      const child = await createApiKey(service.identity, {
        accountId: id,
        name: 'child',
        scopes: SCOPES,
        madeBy: parent.id,
      });
      const grant = await mintAccessToken(service.identity, id);
      const session = await withSession(service.identity, email);
      const tokens: string[] = [];
      for (const credentials of [{ authorization: `Bearer ${child.key}` }, grant.credentials, session]) {
        tokens.push((await createFeed({ request: requestAs(service.app, credentials) }, choice)).token);
      }
      const answers = async () => Promise.all(tokens.map((token) => answerOf(service.app, token)));
      assert.deepEqual(await answers(), ['200', '200', '200']);
      await revokeApiKey(service.identity, { keyId: parent.id });
      assert.deepEqual(await answers(), ['404 NOT_FOUND', '200', '200']);
      await revokeGrants(service.database, id);
      assert.deepEqual(await answers(), ['404 NOT_FOUND', '404 NOT_FOUND', '200']);
      await sql`DELETE FROM browser_session WHERE account_id = ${id}`.execute(service.database.query());
      assert.equal(await answerOf(service.app, tokens[2] ?? ''), '200');
      const list = await (await asKey(id)).request<{ feeds: ShownFeed[] }>('GET', FEEDS);
      assert.equal(list.data.feeds.length, 1, 'ended feeds are not listed');
    });
  });
}

function asKey(accountId: string): Promise<Pick<Caller, 'request'>> {
  return withScopes(service, accountId, SCOPES);
}

test('a feed ends with its account', async () => {
  const { id, email } = await makeAccount(service.identity);
  const session = requestAs(service.app, await withSession(service.identity, email));
  const { token } = await createFeed({ request: session }, bodiesFor(forecast.id).history);
  assert.equal(await answerOf(service.app, token), '200');
  await sql`DELETE FROM workspace WHERE owner_account_id = ${id}`.execute(service.database.query());
  await sql`DELETE FROM account WHERE id = ${id}`.execute(service.database.query());
  assert.equal(await answerOf(service.app, token), '404 NOT_FOUND');
});

test('a browser session of a free account creates no feed, but lists and deletes those it had', async () => {
  const { id, email } = await makeAccount(service.identity);
  const caller = { request: requestAs(service.app, await withSession(service.identity, email)) };
  const { data, token } = await createFeed(caller, bodiesFor(forecast.id).history);
  await setAccount(id, "plan = 'free'");
  const refused = await createFeed(caller, bodiesFor(forecast.id).history);
  assert.equal(refused.code, 'PLAN_REQUIRED');
  assert.match(refused.body, /A feed is API access/);
  assert.equal((await caller.request<{ feeds: ShownFeed[] }>('GET', FEEDS)).data.feeds[0]?.id, data.id);
  assert.equal(await answerOf(service.app, token), '403 PLAN_REQUIRED');
  assert.equal((await caller.request('DELETE', `${FEEDS}/${data.id}`)).status, 200);
  assert.equal(await answerOf(service.app, token), '404 NOT_FOUND');
});

/** What a feed of another account's forecast answers, by visibility and by the membership at the time of the read. */
const NOT_FOUND = '404 NOT_FOUND';
const BY_MEMBERSHIP = {
  editor: { private: NOT_FOUND, workspace: '200', public: '200' },
  viewer: { private: NOT_FOUND, workspace: '200', public: '200' },
  'viewer of nothing': { private: NOT_FOUND, workspace: NOT_FOUND, public: '200' },
  'no member': { private: NOT_FOUND, workspace: NOT_FOUND, public: '200' },
};

test('a feed asks for the membership of its owner and the visibility of the forecast at each read', async () => {
  const { database } = service;
  const reader = await makeOwner();
  const workspace = await makeWorkspace(database, owner.accountId);
  await makeMember(database, workspace.id, reader.accountId);
  const shared = await completeForecast(service, owner, { workspace_id: workspace.id, visibility: 'workspace' });
  const body = bodiesFor(shared.slug).forecast;
  const { token } = await createFeed(reader, body);
  const answers: Record<string, Record<string, string>> = {};
  for (const member of Object.keys(BY_MEMBERSHIP)) {
    await sql`DELETE FROM workspace_member WHERE account_id = ${reader.accountId} AND workspace_id = ${workspace.id}`.execute(
      database.query(),
    );
    const [role = '', , part] = member.split(' ');
    if (role !== 'no') {
      const forecasts_scope_mode = part === 'nothing' ? 'none' : 'all';
      await makeMember(database, workspace.id, reader.accountId, { role: role as 'viewer', forecasts_scope_mode });
    }
    answers[member] = {};
    for (const visibility of ['private', 'workspace', 'public']) {
      await sql`UPDATE forecast SET visibility = ${visibility} WHERE id = ${shared.id}`.execute(database.query());
      const answer = await answerOf(service.app, token);
      (answers[member] as Record<string, string>)[visibility] = answer;
      // A feed is created exactly if it can be read.
      const created = await createFeed(reader, body);
      assert.equal(`${created.status} ${created.code}`, answer === '200' ? '201 undefined' : answer);
    }
  }
  assert.deepEqual(answers, BY_MEMBERSHIP);
});

test('a feed of the creator ends with the membership and with the forecast', async () => {
  const { database } = service;
  const creator = await makeOwner();
  const workspace = await makeWorkspace(database, owner.accountId);
  const member = await makeMember(database, workspace.id, creator.accountId, { role: 'editor' });
  const made = await completeForecast(service, creator, { workspace_id: workspace.id, visibility: 'workspace' });
  const own = await completeForecast(service, creator);
  const inWorkspace = await createFeed(creator, bodiesFor(made.id).forecast);
  const outside = await createFeed(creator, bodiesFor(own.id).forecast);
  assert.equal(await answerOf(service.app, inWorkspace.token), '200');
  const ofOwner = await createFeed(owner, bodiesFor(made.id).forecast);
  assert.equal(await answerOf(service.app, ofOwner.token), '200', 'the owner of the workspace reads it as well');
  await sql`UPDATE forecast SET visibility = 'private' WHERE id = ${made.id}`.execute(database.query());
  assert.equal(await answerOf(service.app, ofOwner.token), NOT_FOUND);
  assert.equal(await answerOf(service.app, inWorkspace.token), '200');
  await sql`DELETE FROM workspace_member WHERE id = ${member}`.execute(database.query());
  assert.equal(await answerOf(service.app, inWorkspace.token), '403 WORKSPACE_DENIED');
  assert.equal(await answerOf(service.app, outside.token), '200');
  await creator.request('DELETE', `${FORECASTS}/${own.id}`);
  assert.equal(await answerOf(service.app, outside.token), NOT_FOUND);
});
