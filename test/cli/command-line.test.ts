import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runAlmanac } from '../support/cli/almanac-process.ts';
import { answerOf, refusalOf } from '../support/cli/command-answer.ts';
import { preparedFolder, type Service, startService } from '../support/cli/service.ts';
import { startLoopbackIssuer } from '../support/identity/loopback-issuer.ts';

/** One folder for the whole file: first nobody has it, then a service, then the remains of one that was killed. */
const prepared = await preparedFolder();
const alone = { ALMANAC_DATA: prepared.data };
const issuer = await startLoopbackIssuer({ audience: 'urn:almanac' });
let service: Service;
after(async () => {
  await service[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
  await prepared[Symbol.asyncDispose]();
});

let keyMadeAlone = '';

test('alone, a command opens the embedded database by itself', async () => {
  assert.deepEqual(await answerOf(alone, 'migrate'), { migrated: true, database: 'pglite' });
  const user = await answerOf(alone, 'user', 'create', 'Ann@Example.org', '--plan', 'pro', '--verified');
  assert.match(String(user.id), /^usr_/);
  assert.deepEqual(user, { id: user.id, email: 'ann@example.org', plan: 'pro' });
  await refusalOf(alone, 1, /ann@example\.org exists already/, 'user', 'create', 'ann@example.org');
  const made = await answerOf(alone, 'key', 'create', 'ann@example.org');
  assert.deepEqual(Object.keys(made), ['id', 'key']);
  keyMadeAlone = String(made.key);
});

test('a service finds what was made without it', async () => {
  const ALMANAC_ISSUERS = JSON.stringify([{ issuer: issuer.url, audience: 'urn:almanac' }]);
  service = await startService({ data: prepared.data, environment: { ALMANAC_ISSUERS } });
  assert.ok(existsSync(join(prepared.data, 'control.json')));
  const { user, token_scopes } = await access(keyMadeAlone);
  assert.equal(user?.email, 'ann@example.org');
  assert.equal(token_scopes?.length, 10);
});

test('beside a service, a command works through it', async () => {
  const beside = service.environment;
  assert.deepEqual(await answerOf(beside, 'migrate'), { migrated: true, database: 'pglite' });
  const { id } = await answerOf(beside, 'user', 'create', 'bob@example.org', '--password', 'a long password');
  assert.match(String(id), /^usr_/);
  await refusalOf(beside, 1, /bob@example\.org exists already/, 'user', 'create', 'bob@example.org');
  await refusalOf(beside, 1, /password: must have 10/, 'user', 'create', 'eve@example.org', '--password', 'short');
  await refusalOf(beside, 1, /No account with the address/, 'key', 'create', 'eve@example.org');

  const { key, id: keyId } = await answerOf(beside, 'key', 'create', 'bob@example.org', '--scopes', 'account:read');
  assert.equal((await access(String(key))).code, 'PLAN_REQUIRED');
  assert.deepEqual(await answerOf(beside, 'user', 'plan', 'bob@example.org', 'pro'), {
    id,
    email: 'bob@example.org',
    plan: 'pro',
  });
  assert.deepEqual((await access(String(key))).token_scopes, ['account:read']);
  const bob = { id, email: 'bob@example.org' };
  assert.deepEqual(await answerOf(beside, 'user', 'verify', 'Bob@example.org'), { ...bob, verified: true });
  const another = ['user', 'password', 'bob@example.org', '-'] as const;
  const changed = await runAlmanac(another, beside, 'another long password\n');
  assert.deepEqual([changed.code, JSON.parse(changed.stdout)], [0, { ...bob, changed: true }]);
  const signIn = await service.fetch('/api/v1/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: bob.email, password: 'another long password' }),
  });
  assert.equal(signIn.status, 201);
  await refusalOf(beside, 1, /password: must have 10/, 'user', 'password', 'bob@example.org', 'short');

  assert.deepEqual(await answerOf(beside, 'key', 'revoke', String(keyId)), { id: keyId, removed: true });
  assert.equal((await access(String(key))).code, 'UNAUTHENTICATED');
  await refusalOf(beside, 1, /No live API key/, 'key', 'revoke', String(keyId));
});

test('a key can have a kind, a name and an end', async () => {
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const options = ['--service', '--name', 'nightly', '--expires', expires];
  const made = await answerOf(service.environment, 'key', 'create', 'bob@example.org', ...options);
  assert.match(String(made.key), /^alm_svc_/);
  const response = await service.fetch('/api/v1/me/api-keys', { key: String(made.key) });
  const { data } = (await response.json()) as { data: { api_keys: Record<string, unknown>[] } };
  const { id, kind, name, expires_at } = data.api_keys[0] ?? {};
  assert.deepEqual([id, kind, name, expires_at], [made.id, 'service', 'nightly', expires]);
  const past = ['--expires', '2020-01-01T00:00:00Z'];
  await refusalOf(service.environment, 1, /must be in the future/, 'key', 'create', 'bob@example.org', ...past);
});

test('a person of an outside issuer comes in by a token, and is unlinked by a command', async () => {
  const claims = { email: 'ann@example.org', email_verified: true };
  assert.equal((await access(await issuer.sign({ claims }))).user?.email, 'ann@example.org');
  const successor = await issuer.sign({ claims: { ...claims, sub: 'ann under another name' } });
  assert.equal((await access(successor)).code, 'UNAUTHENTICATED');
  const unlink = ['user', 'unlink', 'Ann@example.org', issuer.url] as const;
  const removed = { email: 'ann@example.org', issuer: issuer.url, removed: true };
  assert.deepEqual(await answerOf(service.environment, ...unlink), removed);
  await refusalOf(service.environment, 1, /Nobody of .* is linked to the account ann@example\.org/, ...unlink);
  assert.equal((await access(successor)).user?.email, 'ann@example.org');
});

test('OAuth clients are made, shown and removed by commands', async () => {
  const beside = service.environment;
  const uris = ['--redirect-uri', 'http://127.0.0.1/callback', '--redirect-uri', 'com.example.app:/callback'];
  const open = await answerOf(beside, 'client', 'create', 'Console', ...uris);
  assert.deepEqual(Object.keys(open), ['client_id']);
  const home = ['--uri', 'https://app.example', '--redirect-uri', 'https://app.example/callback', '--confidential'];
  const closed = await answerOf(beside, 'client', 'create', 'Warehouse', ...home);
  assert.match(String(closed.client_secret), /^alm_cls_/);
  const { clients } = await answerOf(beside, 'client', 'list');
  assert.deepEqual(
    (clients as Record<string, unknown>[]).map(({ client_id, name, redirect_uris, confidential, uri }) => ({
      client_id,
      name,
      redirect_uris,
      confidential,
      uri,
    })),
    [
      { client_id: open.client_id, name: 'Console', redirect_uris: [uris[1], uris[3]], confidential: false, uri: null },
      { client_id: closed.client_id, name: 'Warehouse', redirect_uris: [home[3]], confidential: true, uri: home[1] },
    ],
  );
  await refusalOf(beside, 1, /redirect_uris: give at least one --redirect-uri/, 'client', 'create', 'Nowhere');
  const id = String(open.client_id);
  assert.deepEqual(await answerOf(beside, 'client', 'remove', id), { id, removed: true });
  const discovery = await service.fetch('/auth/.well-known/openid-configuration');
  assert.equal(((await discovery.json()) as { issuer: string }).issuer, `${service.url}/auth`);
});

test('a service that was killed does not hold a command up', async () => {
  await service.kill9();
  assert.ok(existsSync(join(prepared.data, 'control.json')), 'it left its record behind');
  await answerOf(alone, 'user', 'create', 'carol@example.org');
  await refusalOf(alone, 1, /bob@example\.org exists already/, 'user', 'create', 'bob@example.org');
});

interface Access {
  readonly user?: { readonly email: string };
  readonly token_scopes?: readonly string[];
  /** Of a refusal. */
  readonly code?: string;
}

async function access(key: string): Promise<Access> {
  const response = await service.fetch('/api/v1/me/access', { key });
  const { data, error } = (await response.json()) as { data?: Access; error?: Access };
  return data ?? error ?? {};
}
