import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { INTERFACE_VERSION, SCOPES } from '../../src/contract/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { callAlmanac, runAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, readResult, resultOf } from '../support/cli/command-result.ts';
import { preparedFolder, type Service, startService } from '../support/cli/service.ts';
import { startLoopbackIssuer } from '../support/identity/loopback-issuer.ts';

// All subtests share one folder and one service. First the folder is free, then a service holds it, and at the end the
// service is killed. Subtests that run while the service holds the folder use their own accounts.
test('commands on the embedded database', async (t) => {
  await using prepared = await preparedFolder();
  const alone = { ALMANAC_DATA: prepared.data };
  let keyCreatedAlone = '';

  await t.test('open it themselves without a service', async () => {
    assert.deepEqual(await resultOf(alone, 'migrate'), { migrated: true, database: 'pglite' });
    // In its own process, which reads standard input and then exits.
    const create = ['user', 'create', 'Ann@Example.org', '--plan', 'pro', '--verified', '--password', '-'];
    const user = readResult(await runAlmanac(create, alone, 'a long password\n'), 'user create');
    assert.match(String(user.id), /^usr_/);
    assert.deepEqual(user, { id: user.id, email: 'ann@example.org', plan: 'pro' });
    const created = await resultOf(alone, 'key', 'create', 'ann@example.org');
    assert.deepEqual(Object.keys(created), ['id', 'key']);
    keyCreatedAlone = String(created.key);
    const { requests } = await resultOf(alone, 'usage', 'ann@example.org');
    assert.deepEqual(requests, { limit: 600, left: 600, resets_at: null }, 'no request was sent');
  });

  await using issuer = await startLoopbackIssuer({ audience: 'urn:almanac' });
  const ALMANAC_ISSUERS = JSON.stringify([{ issuer: issuer.url, audience: 'urn:almanac' }]);
  await using service = await startService({ data: prepared.data, environment: { ALMANAC_ISSUERS } });
  const beside = service.environment;
  const access = (key: string) => readAccess(service, key);

  await t.test('make changes that the next service reads', async () => {
    assert.ok(existsSync(join(prepared.data, 'control.json')));
    const { searched, results } = await resultOf(beside, 'search', 'apple');
    assert.deepEqual([searched, (results as object[]).length > 0], [service.url, true], 'the folder has the address');
    const { user, token_scopes } = await access(keyCreatedAlone);
    assert.equal(user?.email, 'ann@example.org');
    assert.deepEqual(token_scopes, SCOPES);
    assert.equal(await signIn(service, 'ann@example.org', 'a long password'), 201);
  });

  await t.test('are executed by a running service', async () => {
    assert.deepEqual(await resultOf(beside, 'migrate'), { migrated: true, database: 'pglite' });
    const { id } = await resultOf(beside, 'user', 'create', 'bob@example.org', '--password', 'a long password');
    assert.match(String(id), /^usr_/);
    await assertFails(
      beside,
      1,
      /already an account with the address bob@example\.org/,
      'user',
      'create',
      'bob@example.org',
    );
    await assertFails(beside, 1, /password: must have 10/, 'user', 'create', 'eve@example.org', '--password', 'short');
    await assertFails(beside, 1, /no account has the address/i, 'key', 'create', 'eve@example.org');

    const { key, id: keyId } = await resultOf(beside, 'key', 'create', 'bob@example.org', '--scopes', 'account:read');
    assert.equal((await access(String(key))).code, 'PLAN_REQUIRED');
    assert.deepEqual(await resultOf(beside, 'user', 'plan', 'bob@example.org', 'pro'), {
      id,
      email: 'bob@example.org',
      plan: 'pro',
    });
    assert.deepEqual((await access(String(key))).token_scopes, ['account:read']);
    const { requests, ...usage } = await resultOf(beside, 'usage', 'Bob@example.org');
    const { data } = (await (await service.fetch('/api/v1/me/usage', { key: String(key) })).json()) as {
      data: { requests: { limit: number } };
    };
    const { requests: own, ...seen } = data;
    assert.deepEqual(usage, seen, 'the account itself sees the same');
    const { limit, left, resets_at } = requests as Record<string, unknown>;
    assert.equal(limit, own.limit);
    assert.ok(Number(left) < own.limit && typeof resets_at === 'string', 'the service has counted requests');
    await assertFails(beside, 1, /no account has the address/i, 'usage', 'eve@example.org');
    const bob = { id, email: 'bob@example.org' };
    assert.deepEqual(await resultOf(beside, 'user', 'verify', 'Bob@example.org'), { ...bob, verified: true });
    const another = ['user', 'password', 'bob@example.org', '-'] as const;
    const changed = await callAlmanac(another, beside, 'another long password\n');
    assert.deepEqual([changed.code, JSON.parse(changed.stdout)], [0, { ...bob, changed: true }]);
    assert.equal(await signIn(service, bob.email, 'another long password'), 201);
    await assertFails(beside, 1, /password: must have 10/, 'user', 'password', 'bob@example.org', 'short');

    assert.deepEqual(await resultOf(beside, 'key', 'revoke', String(keyId)), { id: keyId, removed: true });
    assert.equal((await access(String(key))).code, 'UNAUTHENTICATED');
    await assertFails(beside, 1, /No active API key/, 'key', 'revoke', String(keyId));
  });

  await t.test('list accounts and keys, change an administrator and remove an account', async () => {
    const { id } = await resultOf(beside, 'user', 'create', 'zoe@example.org', '--plan', 'pro');
    const { key, id: keyId } = await resultOf(beside, 'key', 'create', 'zoe@example.org', '--name', 'nightly');
    const changed = { id, email: 'zoe@example.org', administrator: true, email_verified: false };
    assert.deepEqual(await resultOf(beside, 'user', 'administrator', 'Zoe@example.org', 'on'), changed);
    await assertFails(beside, 1, /administrator: must be on or off/, 'user', 'administrator', 'zoe@example.org', 'yes');
    const { accounts } = (await resultOf(beside, 'user', 'list')) as { accounts: Record<string, unknown>[] };
    const { created_at: _, ...zoe } = accounts.find(({ email }) => email === 'zoe@example.org') ?? {};
    assert.deepEqual(zoe, { ...changed, plan: 'pro', locked: false });
    const locked = { id, email: 'zoe@example.org', locked: true, canceled_forecasts: 0 };
    assert.deepEqual(await resultOf(beside, 'user', 'lock', 'Zoe@example.org'), locked);
    assert.equal((await resultOf(beside, 'user', 'unlock', 'zoe@example.org')).locked, false);
    const listed = await callAlmanac(['key', 'list', 'ZOE@example.org'], beside);
    const { email, keys } = JSON.parse(listed.stdout) as { email: string; keys: Record<string, unknown>[] };
    assert.deepEqual(
      [email, keys.map(({ id: listedId, name }) => [listedId, name])],
      [zoe.email, [[keyId, 'nightly']]],
    );
    assert.ok(!listed.stdout.includes(String(key)) && !('secret_hash' in (keys[0] ?? {})));
    await assertFails(beside, 1, /No account has the address/, 'key', 'list', 'another@example.org');

    const { removed } = await resultOf(beside, 'user', 'remove', 'zoe@example.org');
    assert.partialDeepStrictEqual(removed, { workspaces: 1, api_keys: 1, forecasts: 0 });
    assert.equal((await access(String(key))).code, 'UNAUTHENTICATED');
    await assertFails(beside, 1, /No account has the address/, 'user', 'remove', 'zoe@example.org');
  });

  await t.test('create a key with a kind, a name and an expiry', async () => {
    await resultOf(beside, 'user', 'create', 'kim@example.org', '--plan', 'pro');
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const options = ['--service', '--name', 'nightly', '--expires', expires];
    const created = await resultOf(beside, 'key', 'create', 'kim@example.org', ...options);
    assert.match(String(created.key), /^alm_svc_/);
    const response = await service.fetch('/api/v1/me/api-keys', { key: String(created.key) });
    const { data } = (await response.json()) as { data: { api_keys: Record<string, unknown>[] } };
    const { id, kind, name, expires_at } = data.api_keys[0] ?? {};
    assert.deepEqual([id, kind, name, expires_at], [created.id, 'service', 'nightly', expires]);
    const past = ['--expires', '2020-01-01T00:00:00Z'];
    await assertFails(beside, 1, /must be in the future/, 'key', 'create', 'kim@example.org', ...past);
  });

  await t.test('unlink an account from an external issuer', async () => {
    await resultOf(beside, 'user', 'create', 'lee@example.org', '--plan', 'pro', '--verified');
    const claims = { email: 'lee@example.org', email_verified: true };
    assert.equal((await access(await issuer.sign({ claims }))).user?.email, 'lee@example.org');
    const successor = await issuer.sign({ claims: { ...claims, sub: 'another subject' } });
    assert.equal((await access(successor)).code, 'UNAUTHENTICATED');
    const unlink = ['user', 'unlink', 'Lee@example.org', issuer.url] as const;
    const removed = { email: 'lee@example.org', issuer: issuer.url, removed: true };
    assert.deepEqual(await resultOf(beside, ...unlink), removed);
    await assertFails(beside, 1, /The account lee@example\.org is not linked to http/, ...unlink);
    assert.equal((await access(successor)).user?.email, 'lee@example.org');
  });

  await t.test('register, list and remove OAuth clients', async () => {
    const uris = ['--redirect-uri', 'http://127.0.0.1/callback', '--redirect-uri', 'com.example.app:/callback'];
    const open = await resultOf(beside, 'client', 'create', 'Console', ...uris);
    assert.deepEqual(Object.keys(open), ['client_id']);
    const home = ['--uri', 'https://app.example', '--redirect-uri', 'https://app.example/callback', '--confidential'];
    const closed = await resultOf(beside, 'client', 'create', 'Warehouse', ...home);
    assert.match(String(closed.client_secret), /^alm_cls_/);
    const { clients } = await resultOf(beside, 'client', 'list');
    assert.deepEqual(
      (clients as Record<string, unknown>[]).map(({ client_id, name, redirect_uris, confidential, uri }) => ({
        client_id,
        name,
        redirect_uris,
        confidential,
        uri,
      })),
      [
        {
          client_id: open.client_id,
          name: 'Console',
          redirect_uris: [uris[1], uris[3]],
          confidential: false,
          uri: null,
        },
        { client_id: closed.client_id, name: 'Warehouse', redirect_uris: [home[3]], confidential: true, uri: home[1] },
      ],
    );
    await assertFails(beside, 1, /redirect_uris: give at least one --redirect-uri/, 'client', 'create', 'Nowhere');
    const id = String(open.client_id);
    assert.deepEqual(await resultOf(beside, 'client', 'remove', id), { id, removed: true });
    const discovery = await service.fetch('/auth/.well-known/openid-configuration');
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, `${service.url}/auth`);
  });

  await t.test('are not blocked by the files of a killed service', async () => {
    await resultOf(beside, 'user', 'create', 'mia@example.org');
    await service.kill9();
    assert.ok(existsSync(join(prepared.data, 'control.json')), 'it left its record behind');
    const { key } = await resultOf(alone, 'key', 'create', 'Mia@Example.org');
    assert.match(String(key), /^alm_pat_/, 'the last account that it created is there');
  });
});

test('describes every command, a group of commands or one command', async () => {
  const bare = await callAlmanac([], {});
  assert.deepEqual([bare.code, bare.stderr], [2, ''], 'no command is a malformed command line');
  const all = { ...bare, code: 0 };
  const names = all.stdout
    .match(/^ {2}almanac (?:[a-z][a-z-]* ?)+/gm)
    ?.map((line) => line.slice('  almanac '.length).trim());
  assert.ok(names && names.length > 15);
  assert.deepEqual(
    [
      'serve',
      'worker',
      'migrate',
      'user list',
      'user create',
      'user plan',
      'user administrator',
      'user verify',
      'user password',
      'user unlink',
      'user remove',
      'key create',
      'key list',
      'key revoke',
      'client create',
      'client list',
      'client remove',
      'client rotate-key',
      'ledger check',
      'storage check',
      'usage',
      'screener run',
      'proof verify',
      'models list',
      'models verify',
      'models pull',
      'scout replay',
    ].filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(await callAlmanac(['help'], {}), all);
  assert.deepEqual(await callAlmanac(['--help'], {}), all);

  for (const name of names) {
    const { code, stdout, stderr } = await callAlmanac([...name.split(' '), '--help'], {});
    assert.deepEqual([code, stderr], [0, ''], name);
    // Usage, one sentence, perhaps a table of options, and an example that the command line accepts.
    const [usage = '', summary = '', ...sections] = stdout.trimEnd().split('\n\n');
    assert.ok(usage.startsWith(`Usage: almanac ${name}`), stdout);
    assert.match(summary, /^[A-Z].*\.$/, name);
    assert.equal(sections.length, usage.includes('--') ? 2 : 1, stdout);
    const example = /^Example:\n {2}almanac (.*)$/.exec(sections.at(-1) ?? '')?.[1];
    assert.ok(example?.startsWith(name), stdout);
    assert.deepEqual(await callAlmanac(['help', ...name.split(' ')], {}), { code, signal: null, stdout, stderr });
  }
});

test('shows the type and the default of each option', async () => {
  const { stdout } = await callAlmanac(['user', 'create', '--help'], {});
  assert.match(stdout, /^ {2}Option +Type +Default +Meaning$/m);
  assert.match(stdout, /^ {2}--plan PLAN +text +free +the plan: free, pro, enterprise$/m);
  assert.match(stdout, /^ {2}--administrator +flag +off +make the account an administrator$/m);
  const screener = await callAlmanac(['screener', 'run', '-h'], {});
  assert.match(screener.stdout, /^ {2}--session DATE +date +required +/m);
});

test('describes a group of commands, and refuses help about an unknown command', async () => {
  const { code, stdout } = await callAlmanac(['models', '--help'], {});
  assert.equal(code, 0);
  assert.deepEqual(stdout.match(/^ {2}almanac \w+ \w+/gm), [
    '  almanac models list',
    '  almanac models verify',
    '  almanac models pull',
  ]);
  await assertFails({}, 2, /Unknown command "weather"\. See: almanac --help/, 'weather', '--help');
});

interface Access {
  readonly user?: { readonly email: string };
  readonly token_scopes?: readonly string[];
  /** The code of an error. */
  readonly code?: string;
}

async function readAccess(service: Service, key: string): Promise<Access> {
  const response = await service.fetch('/api/v1/me/access', { key });
  const { data, error } = (await response.json()) as { data?: Access; error?: Access };
  return data ?? error ?? {};
}

/** Returns the status of the reply. */
async function signIn(service: Service, email: string, password: string): Promise<number> {
  const response = await service.fetch('/api/v1/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('version prints the versions, also as --version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const { build, interface: contract, engine, node, platform } = await resultOf({}, 'version');
  assert.deepEqual([build, contract, engine], [version, INTERFACE_VERSION, ENGINE_VERSION]);
  assert.equal(platform, `${process.platform}-${process.arch}`);
  assert.match(String(node), /^\d+\.\d+\.\d+$/);
  assert.deepEqual(await resultOf({}, '--version'), await resultOf({}, 'version'));
  await assertFails({}, 2, /Usage: almanac version/, 'version', 'engine');
});
