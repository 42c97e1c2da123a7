import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity, SECOND } from '../../test/support/identity/identity.ts';
import { countUses } from '../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { SCOPES, type SecurityEventKind } from '../contract/index.ts';
import { removeInBatches } from '../platform/index.ts';
import {
  authenticateSession,
  changePassword,
  createApiKey,
  endOtherSessions,
  endSession,
  endSessionById,
  type IdentityContext,
  listSecurityEvents,
  oldSecurityEvents,
  recordSecurityEvent,
  revokeApiKey,
  signIn,
} from './index.ts';

const options = { migrations: MIGRATIONS };
const ORIGIN = { network: '192.0.2.0/24', userAgent: 'a browser' };

async function kinds(identity: IdentityContext, accountId: string): Promise<SecurityEventKind[]> {
  return (await listSecurityEvents(identity, accountId, { limit: 100 })).map(({ kind }) => kind).reverse();
}

forEachDatabase('lists every security event of an account', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity);
  const quiet = await makeAccount(identity, { password: null });
  const start = async () => {
    identity.clock.advance(MINUTE);
    const session = await signIn(identity, { email, password: PASSWORD, ...ORIGIN });
    const account = await authenticateSession(identity, session?.secret ?? '');
    return { secret: session?.secret ?? '', id: account?.credentialId ?? '' };
  };
  const step = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    identity.clock.advance(MINUTE);
    return act();
  };
  const first = await start();
  const second = await start();
  await start();
  await step(() => endSession(identity, first.secret, ORIGIN));
  await step(() => endSession(identity, first.secret, ORIGIN));
  await step(() => endSessionById(identity, id, second.id, ORIGIN));
  await step(() => endSessionById(identity, id, second.id, ORIGIN));
  await step(() => endOtherSessions(identity, id, null, ORIGIN));
  await step(() => endOtherSessions(identity, id, null, ORIGIN));
  const key = await step(() => createApiKey(identity, { accountId: id, name: 'mine', scopes: SCOPES, origin: ORIGIN }));
  await step(() => revokeApiKey(identity, { keyId: key.id, origin: ORIGIN }));
  await step(() => revokeApiKey(identity, { keyId: key.id, origin: ORIGIN }));
  const serviceKey = { accountId: id, name: 'nightly', scopes: SCOPES, kind: 'service', origin: ORIGIN } as const;
  const service = await step(() => createApiKey(identity, serviceKey));
  const change = { accountId: id, keptSessionId: null, next: 'another horse battery', origin: ORIGIN };
  await step(() => changePassword(identity, { ...change, current: 'a wrong guess' }));
  await changePassword(identity, { ...change, current: 'another guess' });
  await step(() => changePassword(identity, { ...change, current: PASSWORD }));
  await step(() => signIn(identity, { email, password: PASSWORD, ...ORIGIN }));

  assert.deepEqual(await kinds(identity, id), [
    'account_created',
    'signed_in',
    'signed_in',
    'signed_in',
    'signed_out',
    'session_ended',
    'sessions_ended',
    'key_created',
    'key_revoked',
    'key_created',
    'password_change_failed',
    'password_changed',
    'sign_in_failed',
  ]);
  assert.deepEqual(await kinds(identity, quiet.id), ['account_created']);
  const events = await listSecurityEvents(identity, id, { limit: 100 });
  for (const { kind, network, user_agent } of events.slice(0, -1))
    assert.deepEqual({ network, userAgent: user_agent }, ORIGIN, kind);
  const details = new Map(events.map((event) => [event.kind, event.details]));
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'key_created').map((event) => event.details),
    [
      { key_id: service.id, name: 'nightly', kind: 'service' },
      { key_id: key.id, name: 'mine', kind: 'personal' },
    ],
  );
  assert.deepEqual(details.get('session_ended'), { session_id: second.id });
  assert.deepEqual(details.get('sessions_ended'), { count: '1' });
});

forEachDatabase('lists events newest first, page by page, each once', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, { password: null });
  for (let i = 0; i < 25; i++) {
    // Some events share a millisecond.
    if (i % 3 === 0) identity.clock.advance(1);
    const at = identity.clock.now();
    await recordSecurityEvent(database, { accountId, kind: 'signed_out', at, details: { n: String(i) } });
  }
  const seen: unknown[] = [];
  let before: string | null = null;
  for (;;) {
    const page = await listSecurityEvents(identity, accountId, { limit: 4, before });
    if (page.length === 0) break;
    seen.push(...page.map(({ details }) => details.n));
    before = page.at(-1)?.id ?? null;
  }
  assert.deepEqual(seen, [...Array.from({ length: 25 }, (_, i) => String(24 - i)), undefined]);
  const other = await makeAccount(identity, { password: null });
  assert.deepEqual(
    await listSecurityEvents(identity, other.id, { limit: 4, before }),
    [],
    'the cursor of another account',
  );
});

forEachDatabase('records failed sign-ins once a minute, even concurrent ones', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity);
  const keysOnly = await makeAccount(identity, { password: null });
  const guess = (address = email) => signIn(identity, { email: address, password: 'a wrong guess', ...ORIGIN });
  await Promise.all(Array.from({ length: 8 }, () => guess()));
  identity.clock.advance(20 * SECOND);
  await guess();
  assert.deepEqual(await kinds(identity, id), ['account_created', 'sign_in_failed']);
  identity.clock.advance(MINUTE);
  await guess(email.toUpperCase());
  await guess(keysOnly.email);
  assert.deepEqual(await kinds(identity, id), ['account_created', 'sign_in_failed', 'sign_in_failed']);
  assert.deepEqual(await kinds(identity, keysOnly.id), ['account_created', 'sign_in_failed']);
});

forEachDatabase('a failed sign-in runs the same statements for every address', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { email } = await makeAccount(identity);
  const keysOnly = await makeAccount(identity, { password: null });
  const usesOf = async (address: string) => {
    const counted = countUses(database);
    const request = { email: address, password: 'a wrong guess', ...ORIGIN };
    assert.equal(await signIn({ ...identity, database: counted.database }, request), null);
    return counted.uses();
  };
  assert.deepEqual([await usesOf(email), await usesOf(keysOnly.email), await usesOf('unknown@example.org')], [2, 2, 2]);
});

forEachDatabase('keeps events for 400 days', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id } = await makeAccount(identity, { password: null });
  const signal = new AbortController().signal;
  const remove = (days: number | null = 400) =>
    removeInBatches({ database, signal }, oldSecurityEvents(days, identity.clock.now()));
  identity.clock.advance(400 * DAY);
  await remove();
  assert.deepEqual(await kinds(identity, id), ['account_created']);
  identity.clock.advance(1);
  await remove(null);
  assert.deepEqual(await kinds(identity, id), ['account_created']);
  await remove();
  assert.deepEqual(await kinds(identity, id), []);
});

forEachDatabase('commits a change together with its event, or neither', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity);
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  const broken = { ...identity, clock: { now: () => new Date(Number.NaN) } };
  await assert.rejects(endSession(broken, session?.secret ?? ''));
  assert.ok(await authenticateSession(identity, session?.secret ?? ''));
  assert.deepEqual(await kinds(identity, id), ['account_created', 'signed_in']);
});
