import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IMAGE_SETTINGS, USER } from '../../scripts/image/image-config.ts';
import { loadConfig, readVersion, SETTINGS } from '../../src/platform/index.ts';
import { ROOT, readEnvironmentFile, readYaml } from './manifests.ts';

const [compose] = readYaml('deploy/compose/compose.yaml');
const own = ['migrate', 'api', 'worker'].map((name) => compose.services[name]);
const example = readEnvironmentFile('deploy/compose/env.example');

/** Replaces ${NAME} and ${NAME:?message} as Docker does. */
function interpolate(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{(\w+)[^}]*\}/g, (_, name) => values[name] ?? assert.fail(`${name} is not in env.example`));
}

test('the service accepts the settings of the compose file', () => {
  for (const { environment } of own) {
    assert.deepEqual(
      Object.keys(environment).filter((name) => !(name in SETTINGS)),
      [],
    );
    const values = { ...example, DATABASE_PASSWORD: 'secret' };
    const entries = Object.entries<string>(environment).map(([name, text]) => [name, interpolate(text, values)]);
    const config = loadConfig(Object.fromEntries(entries));
    assert.equal(config.databaseUrl, 'postgres://almanac:secret@pgbouncer:6432/almanac');
  }
});

test('passwords are only in .env, and its example has none', () => {
  assert.equal(example.DATABASE_PASSWORD, '');
  for (const { environment } of Object.values<{ environment?: Record<string, string> }>(compose.services)) {
    for (const [name, text] of Object.entries(environment ?? {})) {
      if (/PASSWORD|DATABASE.*URL/.test(name)) assert.match(text, /\$\{DATABASE_PASSWORD/);
    }
  }
});

test('the services run without privileges and with time to stop', () => {
  for (const service of own) {
    assert.deepEqual(service.ulimits, { core: 0 });
    assert.equal(service.image, `almanac:${readVersion()}`);
    assert.deepEqual([service.read_only, service.cap_drop, service.user], [true, ['ALL'], `${USER}:${USER}`]);
    assert.ok(Number.parseInt(service.stop_grace_period, 10) > SETTINGS.ALMANAC_SHUTDOWN_SECONDS.fallback + 5);
  }
});

test('the health check of the API asks whether the service is ready', () => {
  const { healthcheck, environment, ports } = compose.services.api;
  assert.match(healthcheck.test.at(-1), new RegExp(`^fetch\\('http://127.0.0.1:${environment.PORT}/health/ready'\\)`));
  assert.deepEqual(ports, [`127.0.0.1:8080:${environment.PORT}`]);
});

test('the pooler has the settings of the page about operations', () => {
  const settings = readFileSync(join(ROOT, 'deploy/compose/pgbouncer.ini'), 'utf8').matchAll(/^(\w+) = (.*)$/gm);
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const same = ['pool_mode', 'auth_type', 'default_pool_size', 'max_client_conn', 'query_wait_timeout', 'listen_port'];
  const found = [...settings].filter(([, name = '']) => same.includes(name));
  assert.equal(found.length, same.length);
  for (const [line] of found) assert.ok(page.includes(`\n${line}\n`), line);
});

test('the settings agree with those of the image', () => {
  for (const { environment } of own) {
    for (const [name, value] of Object.entries(IMAGE_SETTINGS)) assert.equal(environment[name], value, name);
  }
  assert.deepEqual(compose.services.api.volumes, [`api:${IMAGE_SETTINGS.ALMANAC_DATA}`]);
});
