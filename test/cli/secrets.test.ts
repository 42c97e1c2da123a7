import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { resultOf } from '../support/cli/command-result.ts';
import { preparedFolder, startService } from '../support/cli/service.ts';
import { inlineRequest } from '../support/forecasts/forecast-service.ts';
import { findChildren } from '../support/platform/child-processes.ts';

const MASSIVE_KEY = 'key-of-massive-in-a-file';
const FRED_KEY = 'f'.repeat(32);

interface Row {
  readonly kind: string;
  readonly place: string;
  readonly earlier_until: readonly string[];
}

test('a running service lists and rotates its secrets, and no process shows one', async (t) => {
  await using prepared = await preparedFolder();
  const { data } = prepared;
  mkdirSync(join(data, 'mounted'), { mode: 0o700 });
  const path = join(data, 'mounted', 'massive');
  writeFileSync(path, `${MASSIVE_KEY}\n`, { mode: 0o600 });
  await using service = await startService({
    data,
    environment: { ALMANAC_MASSIVE_KEY_FILE: path, ALMANAC_FRED_KEY: FRED_KEY },
    nodeFlags: ['--report-on-fatalerror', '--report-uncaught-exception'],
  });
  const beside = { ALMANAC_DATA: data };
  const list = async () => (await resultOf(beside, 'secret', 'list', '--json')).secrets as Row[];
  const find = async (kind: string) => (await list()).find((row) => row.kind === kind) ?? assert.fail(kind);

  const examine = async () => (await callAlmanac(['doctor'], beside)).stdout;

  await t.test('lists secrets of the database, of settings and of files, and prints none', async () => {
    assert.equal((await find('ALMANAC_MASSIVE_KEY')).place, `${path} (mode 600)`);
    assert.equal((await find('ALMANAC_FRED_KEY')).place, 'environment');
    assert.match((await find('demo-api-key')).place, /demo-api-key \(mode 600\)$/);
    const { stdout, code } = await callAlmanac(['secret', 'list'], beside);
    assert.deepEqual([code, stdout.split('\n')[0]?.split(/ {2,}/)], [0, COLUMNS]);
    const secrets = [MASSIVE_KEY, FRED_KEY, service.key];
    for (const secret of secrets) assert.ok(!`${stdout}${JSON.stringify(await list())}`.includes(secret));
  });

  await t.test('rotates every kind while it runs', async () => {
    for (const kind of [
      'oauth-signing',
      'cursors',
      'oauth-cookies',
      'screener-unsubscribe',
      'notification-unsubscribe',
      'guest-networks',
    ]) {
      await resultOf(beside, 'secret', 'rotate', kind);
      assert.ok((await find(kind)).earlier_until.length >= (kind === 'oauth-signing' ? 0 : 1), kind);
      if (kind === 'cursors') assert.match(await examine(), /An earlier key is still accepted: cursors until 20/);
      const { effect } = await resultOf(beside, 'secret', 'rotate', kind, '--now');
      assert.match(String(effect), /no longer work|refused|start|begin again/, kind);
      assert.deepEqual((await find(kind)).earlier_until, [], kind);
    }
    assert.equal((await resultOf(beside, 'secret', 'rotate', 'webhooks')).webhooks_with_earlier_key, 0);
    assert.equal((await service.fetch('/health/ready')).status, 200);
    const [unknown, noTarget, useless] = await Promise.all([
      callAlmanac(['secret', 'rotate', 'cursor'], beside),
      callAlmanac(['secret', 'rotate', 'webhook'], beside),
      callAlmanac(['secret', 'rotate', 'cursors', 'x'], beside),
    ]);
    assert.match(unknown.stderr, /kind: must be one of oauth-signing, cursors, /);
    assert.match(noTarget.stderr, /target: give the id of a webhook/);
    assert.match(useless.stderr, /target: only the kind webhook has one/);
  });

  await t.test('process lists and the environment of children have no secret, and reports are off', async () => {
    const created = await service.fetch('/api/v1/ensemble-forecasts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inlineRequest()),
    });
    assert.equal(created.status, 202, await created.text());
    const children = await childrenOf(service.pid);
    for (const pid of [service.pid, ...children]) {
      const line = lineOf(pid);
      for (const secret of [MASSIVE_KEY, FRED_KEY, service.key]) assert.ok(!line.includes(secret), line);
    }
    // What a setting in a file has is in no environment at all.
    assert.ok(!readFileSync(`/proc/${service.pid}/environ`, 'utf8').includes(MASSIVE_KEY));
    for (const pid of children) {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=', 1)[0]);
      const allowed = [
        'NODE_COMPILE_CACHE',
        'ORT_DISABLE_TELEMETRY',
        'NODE_CHANNEL_FD',
        'NODE_CHANNEL_SERIALIZATION_MODE',
        '',
      ];
      assert.deepEqual(
        names.filter((name) => !allowed.includes(name ?? '')),
        [],
      );
    }
    if (!('excludeEnv' in process.report)) assert.match(service.stderr(), /diagnostic reports are off/);
  });
});

const COLUMNS = ['SECRET', 'PROTECTS', 'PLACE', 'SINCE', 'EARLIER UNTIL', 'ROTATE'];

function lineOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

/** Returns the children of a service. The process of the engine starts with the first forecast. */
async function childrenOf(pid: number): Promise<number[]> {
  for (let waits = 0; waits < 600; waits += 1) {
    const children = findChildren(pid);
    // Until a new child runs its own program, it is a copy of its parent.
    if (children.length > 0 && children.every((child) => lineOf(child) !== lineOf(pid))) return children;
    await sleep(50);
  }
  return assert.fail('no engine was started');
}
