import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { loadConfig, SETTINGS } from '../../src/platform/index.ts';
import { ROOT, readEnvironmentFile } from './manifests.ts';

const units = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT }).map((file) => ({
  name: basename(file),
  text: readFileSync(join(ROOT, file), 'utf8'),
}));
const services = units.filter(({ name }) => name.endsWith('.service'));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function readKey(text: string, key: string): string | undefined {
  return new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the units', { skip: hasSystemd ? false : 'systemd-analyze is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-units-test-'));
  try {
    // systemd also checks that the program of a unit exists.
    for (const { name, text } of units) {
      writeFileSync(join(folder, name), text.replaceAll('/opt/almanac/node_modules/.bin/node', process.execPath));
    }
    const files = units.map(({ name }) => join(folder, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
    assert.deepEqual([status, stderr.trim()], [0, '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the units run commands of the package as a user without privileges', () => {
  assert.deepEqual(services.map(({ name }) => name).sort(), [
    'almanac-backup.service',
    'almanac-worker.service',
    'almanac.service',
  ]);
  for (const { name, text } of services) {
    assert.ok(text.includes(`/opt/almanac/node_modules/almanac/${manifest.bin.almanac} `), name);
    assert.equal(readKey(text, 'User'), 'almanac', name);
    assert.equal(readKey(text, 'NoNewPrivileges'), 'yes', name);
    assert.equal(readKey(text, 'ProtectSystem'), 'strict', name);
    assert.equal(readKey(text, 'StateDirectory'), 'almanac almanac/tmp', name);
    assert.equal(readKey(text, 'CapabilityBoundingSet'), '', name);
    assert.equal(readKey(text, 'LimitCORE'), '0', name);
  }
});

test('services are restarted, and have the time of a shutdown before they are killed', () => {
  const lasting = services.filter(({ text }) => readKey(text, 'Type') !== 'oneshot');
  assert.equal(lasting.length, 2);
  for (const { name, text } of lasting) {
    assert.equal(readKey(text, 'Restart'), 'always', name);
    assert.ok(Number(readKey(text, 'TimeoutStopSec')) > SETTINGS.ALMANAC_SHUTDOWN_SECONDS.fallback + 5, name);
  }
});

test('all units share the temporary folder, in which the service has the socket for commands and backups', () => {
  for (const { name, text } of services) {
    assert.equal(readKey(text, 'PrivateTmp'), 'yes', name);
    assert.ok(text.includes('\nEnvironment=TMPDIR=/var/lib/almanac/tmp\n'), name);
  }
});

test('the service accepts the settings of the example', () => {
  const example = readEnvironmentFile('deploy/systemd/almanac.env.example');
  assert.deepEqual(
    Object.keys(example).filter((name) => !(name in SETTINGS)),
    [],
  );
  assert.equal(loadConfig({ ...example, ALMANAC_DATA: '/var/lib/almanac' }).siteUrl, example.SITE_URL);
});
