import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { cancelForecastsOfLocked, checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import { redeemReset, requestPasswordReset, sendLink } from '../../src/identity/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { claimScreenerMail } from '../../src/screener/mail/claim-screener-mail.ts';
import { requestAs } from '../support/api/request-as.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { create, FORECASTS, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { mintAccessToken } from '../support/identity/access-tokens.ts';
import { PASSWORD } from '../support/identity/callers.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeAdministrator, makePerson, type Person, USERS } from './scene.ts';

let service: ForecastService;
let administrator: Person;

const setLock = (person: Person, locked: boolean) =>
  administrator.bySession('PATCH', `${USERS}/${person.id}`, { locked });

/** Tests what a lock stops and what unlocking restores. */
export function testLocks(open: () => ForecastService): void {
  describe(`locked accounts [${testedKind}]`, () => {
    before(async () => {
      service = open();
      administrator = await makeAdministrator(service);
    });

    test('sessions, keys, tokens and feeds stop working immediately, and work again after unlocking', async () => {
      const { app, identity } = service;
      const person = await makePerson(service);
      const byToken = requestAs(app, (await mintAccessToken(identity, person.id)).credentials);
      const feed = await makeFeed(identity, person.id);
      const statuses = async () => [
        (await person.bySession('GET', '/v1/me/access')).status,
        (await person.byKey('GET', '/v1/me/access')).status,
        (await byToken('GET', '/v1/me/access')).status,
        (await app.inject({ url: `/api/v1/feeds/${feed.token}` })).statusCode,
        (await app.inject({ url: '/auth/account', headers: { cookie: person.cookie } })).statusCode,
      ];
      const before = await statuses();
      assert.deepEqual(before, [200, 200, 200, 200, 200]);
      await setLock(person, true);
      assert.deepEqual(await statuses(), [401, 401, 401, 404, 401]);
      const told = await person.bySession('GET', '/v1/me/access');
      assert.deepEqual([told.code, /An administrator locked this account/.test(told.body)], ['UNAUTHENTICATED', true]);
      const unknown = await app.inject({ url: '/api/v1/me/access', headers: { cookie: `${person.cookie}x` } });
      assert.doesNotMatch(unknown.body, /locked/);
      assert.match((await app.inject({ url: `/api/v1/feeds/${feed.token}` })).body, /its account may be locked/);
      await setLock(person, false);
      assert.deepEqual(await statuses(), before);
    });

    test('a sign-in states the lock only after the right password', async () => {
      const person = await makePerson(service);
      await setLock(person, true);
      const signIn = (password: string) =>
        requestAs(service.app, {})('POST', '/v1/sessions', { email: person.email, password });
      const [wrong, right] = [await signIn('a wrong password'), await signIn(PASSWORD)];
      assert.deepEqual([wrong.status, wrong.code], [401, 'UNAUTHENTICATED']);
      assert.deepEqual([right.status, right.code, right.cookies.length], [403, 'ACCOUNT_LOCKED', 0]);
      const browser = pageVisitor(service.app);
      const page = await browser.post('/auth/sign-in', { email: person.email, password: PASSWORD });
      assert.deepEqual([page.status, page.text.includes('An administrator locked this account.')], [403, true]);
      const other = await browser.post('/auth/sign-in', { email: person.email, password: 'a wrong password' });
      assert.ok(other.text.includes('The email address or the password is wrong.') && !other.text.includes('locked'));
      await setLock(person, false);
      assert.equal((await signIn(PASSWORD)).status, 201);
    });

    test('unfinished forecasts end, and the ledger stays sound', async () => {
      const person = await makePerson(service, { plan: 'enterprise' });
      const { data: started } = await create({ request: person.byKey });
      await setLock(person, true);
      const read = async (id: string) =>
        (
          await sql<{ status: string; code: string }>`
            SELECT status, error->>'code' AS code FROM forecast WHERE id = ${id}`.execute(service.database.query())
        ).rows[0];
      assert.deepEqual(await read(started.forecast_id), { status: 'failed', code: 'FORECAST_CANCELED' });
      // As a request would that was admitted before the lock.
      await setLock(person, false);
      const { data: late } = await create({ request: person.byKey });
      await sql`UPDATE account SET locked_at = now() WHERE id = ${person.id}`.execute(service.database.query());
      const { database, identity } = service;
      assert.equal(await cancelForecastsOfLocked({ database, clock: identity.clock, queue: service.queue }), 1);
      assert.deepEqual(await read(late.forecast_id), { status: 'failed', code: 'FORECAST_CANCELED' });
      assert.ok(isLedgerSound(await checkLedger(database)));
      assert.equal((await person.byKey('GET', `${FORECASTS}/${late.forecast_id}`)).status, 401);
    });

    test('a locked account gets no mail, and an older link starts no session', async () => {
      const person = await makePerson(service);
      const { identity, database } = service;
      const mails: { readonly text: string }[] = [];
      const delivery = {
        mailer: { send: async (mail: { readonly text: string }) => void mails.push(mail) },
        siteUrl: () => 'https://almanac.example',
        log: createLog('silent'),
      } as unknown as Parameters<typeof sendLink>[2];
      const request = async () => {
        const ids: string[] = [];
        const requestMail = async (_tx: unknown, id: string) => void ids.push(id);
        await requestPasswordReset({ ...identity, requestMail }, { email: person.email });
        await sendLink(identity, { linkId: ids[0] ?? '' }, delivery);
      };
      await request();
      assert.equal(mails.length, 1);
      await setLock(person, true);
      await request();
      assert.equal(mails.length, 1, 'no link for a new password');
      const secret = /alm_lnk_\w+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
      await assert.rejects(redeemReset(identity, secret, { password: 'another horse battery', userAgent: null }), {
        code: 'ACCOUNT_LOCKED',
      });
      await setLock(person, false);
      const signedIn = await requestAs(service.app, {})('POST', '/v1/sessions', {
        email: person.email,
        password: PASSWORD,
      });
      assert.equal(signedIn.status, 201, 'the refused link changed nothing');

      await setLock(person, true);
      await sql`
        INSERT INTO screener_mail (id, account_id, session, state, reason, attempts, created_at, updated_at)
        VALUES ('mail_locked', ${person.id}, '2024-01-02', 'queued', NULL, 0, now(), now())`.execute(database.query());
      assert.equal(await claimScreenerMail(database, 'mail_locked', new Date()), null);
      const { rows } = await sql<{ state: string; reason: string }>`
        SELECT state, reason FROM screener_mail WHERE id = 'mail_locked'`.execute(database.query());
      assert.deepEqual(rows[0], { state: 'skipped', reason: 'account_locked' });
    });
  });
}
