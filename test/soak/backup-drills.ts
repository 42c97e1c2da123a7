import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStamper } from '../../src/compose/index.ts';
import { checkBackup, createLog, openBackup, openDatabase, systemClock } from '../../src/platform/index.ts';
import { createStampRun } from '../../src/provenance/index.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { type Environment, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { emptyPostgres, type Service, startService, temporaryFolder } from '../support/cli/service.ts';
import { inlineRequest } from '../support/forecasts/forecast-service.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import { fillDatabase } from '../support/platform/fill-database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import type { Tally } from './kill-rounds.ts';

export interface DrillOptions {
  readonly from: DatabaseKind;
  readonly to: DatabaseKind;
  /** How many MiB the database has beside what the service stored. */
  readonly mib: number;
}

/** Below the limit of keys of an account. */
const MAX_KEYS = 60;
const KEY_PAUSE_MS = 200;
const FORECAST_MS = 120_000;

/**
 * Backs up a service while keys are created, loses it, and restores it from nothing but the backup and its key. Every row
 * must be the same, every key that was acknowledged before the backup must work, a forecast must be reproduced exactly,
 * and its receipt must verify.
 */
export async function runBackupDrill(options: DrillOptions): Promise<Tally> {
  const { from, to, mib } = options;
  const folder = temporaryFolder();
  try {
    await using node = await openNode(folder);
    const times = await drill(folder, node, options);
    console.log(`backup of ${mib} MiB on ${from}, restored to ${to}: ${times}`);
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`backup of ${mib} MiB on ${from}, restored to ${to}: ${error instanceof Error ? error.stack : error}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface StampingNode extends AsyncDisposable {
  readonly node: EvmNode;
  readonly environment: Environment;
}

async function openNode(folder: string): Promise<StampingNode> {
  const node = await startEvmNode();
  const chainKey = join(folder, 'chain.key');
  writeFileSync(chainKey, (await node.createAccount()).privateKey);
  const environment = {
    ALMANAC_STAMP: 'all',
    ALMANAC_CHAIN_URL: node.url,
    ALMANAC_CHAIN_ID: String(node.chainId),
    ALMANAC_CHAIN_CONTRACT: await node.deployContract(),
    ALMANAC_CHAIN_KEY_FILE: chainKey,
    ALMANAC_CHAIN_CONFIRMATIONS: '1',
  };
  return { node, environment, [Symbol.asyncDispose]: () => node.close() };
}

async function drill(folder: string, stamping: StampingNode, { from, to, mib }: DrillOptions): Promise<string> {
  const key = randomBytes(32);
  const keyFile = join(folder, 'backup.key');
  writeFileSync(keyFile, key);
  const tablesOf = async (file: string) => {
    await using backup = await openBackup(file, { kind: 'file', bytes: key });
    return (await checkBackup(backup)).manifest.tables;
  };
  const times: string[] = [];
  const timed = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
    const startedAt = performance.now();
    const value = await run();
    times.push(`${name} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    return value;
  };

  const file = join(folder, 'almanac.backup');
  let forecastId: string;
  let apiKey: string;
  let acknowledged: string[];
  {
    await using source = from === 'postgres' ? await emptyPostgres() : null;
    const data = { ALMANAC_DATA: join(folder, 'source'), ...(source && { DATABASE_URL: source.url }) };
    await fillDatabase(data, mib);
    const options = { data: data.ALMANAC_DATA, environment: { ...data, ...stamping.environment, ...UNLIMITED } };
    {
      await using first = await startService(options);
      apiKey = first.key;
      forecastId = await createForecast(first);
    }
    await stampProofs(data, stamping.environment);
    const service = await startService({ ...options, quiet: true });
    const keys = createKeys(service);
    await sleep(1_000);
    acknowledged = [...keys.acknowledged];
    await timed('backup', () => succeed(data, 'backup', file, '--key-file', keyFile));
    await keys.stop();
    assert.ok(acknowledged.length > 0 && keys.acknowledged.length > acknowledged.length, 'keys were created meanwhile');
    await service.kill9();
    rmSync(data.ALMANAC_DATA, { recursive: true });
  }

  await using target = to === 'postgres' ? await emptyPostgres() : null;
  const restored = { ALMANAC_DATA: join(folder, 'restored'), ...(target && { DATABASE_URL: target.url }) };
  await timed('restore', () => succeed(restored, 'restore', file, '--key-file', keyFile));
  const again = join(folder, 'again.backup');
  await succeed(restored, 'backup', again, '--key-file', keyFile);
  assert.deepEqual(await tablesOf(again), await tablesOf(file), 'every row is the same');

  await using service = await timed('start', () =>
    startService({ data: restored.ALMANAC_DATA, environment: { ...restored, ...stamping.environment, ...UNLIMITED } }),
  );
  assert.equal(service.key, apiKey, 'the key of the demonstration account');
  for (const secret of acknowledged) {
    assert.equal(
      (await service.fetch('/api/v1/ensemble-forecasts', { key: secret })).status,
      200,
      'an acknowledged key',
    );
  }
  const copy = await timed('reproduction', async () => {
    const path = `/api/v1/ensemble-forecasts/${forecastId}/reproduce`;
    return waitForForecast(service, (await post(service, path, {})).forecast_id as string);
  });
  assert.partialDeepStrictEqual(copy, { comparison: { outcome: 'exact' } });
  const proof = join(folder, 'proof.json');
  const reply = await service.fetch(`/api/v1/ensemble-forecasts/${forecastId}/proof`);
  writeFileSync(proof, await reply.text());
  const verdict = await succeed(restored, 'proof', 'verify', proof, '--chain', stamping.node.url);
  assert.partialDeepStrictEqual(verdict, { valid: true, receipt: 'stamped' });
  await assertSound(service.environment);
  return times.join(', ');
}

/** Also for the keys, which are created quickly. */
const UNLIMITED = { ALMANAC_RATE_PRO: '1000000' };

/** Runs a command in a process of its own, as an operator does. */
async function succeed(environment: Environment, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await spawnAlmanac('src/cli/almanac.ts', args, environment).ended;
  assert.equal(code, 0, `${args.join(' ')}: ${stderr.slice(-2_000)}`);
  return JSON.parse(stdout);
}

/** Asserts that the check finds nothing but the rows that fill the database, which belong to nothing. */
async function assertSound(environment: Environment): Promise<void> {
  const { stdout } = await spawnAlmanac('src/cli/almanac.ts', ['check', '--json'], environment).ended;
  const { findings } = JSON.parse(stdout) as { findings: { subject: string }[] };
  assert.deepEqual(
    findings.filter(({ subject }) => !/^(snap_filler_|filler )/.test(subject)),
    [],
  );
}

/** Creates API keys until it is stopped. Each of them must be in the restored service if it was acknowledged in time. */
function createKeys(service: Service) {
  const acknowledged: string[] = [];
  let isStopped = false;
  const run = (async () => {
    while (!isStopped && acknowledged.length < MAX_KEYS) {
      const body = { name: `key ${acknowledged.length}`, scopes: ['forecasts:read'] };
      acknowledged.push((await post(service, '/api/v1/me/api-keys', body)).key as string);
      await sleep(KEY_PAUSE_MS);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await run;
  };
  return { acknowledged, stop };
}

async function createForecast(service: Service): Promise<string> {
  const request = { ...inlineRequest(), models: ['theta', 'ets'], seed: 7 };
  const { forecast_id } = await post(service, '/api/v1/ensemble-forecasts', request);
  await waitForForecast(service, forecast_id as string);
  return forecast_id as string;
}

async function post(service: Service, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await service.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const text = await reply.text();
  assert.ok(reply.ok, `POST ${path}: ${reply.status} ${text}`);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

async function waitForForecast(service: Service, id: string): Promise<Record<string, unknown>> {
  const deadline = performance.now() + FORECAST_MS;
  while (performance.now() < deadline) {
    const reply = await service.fetch(`/api/v1/ensemble-forecasts/${id}`);
    const { data } = (await reply.json()) as { data: Record<string, unknown> };
    if (data.status === 'completed') return data;
    assert.notEqual(data.status, 'failed', JSON.stringify(data.error));
    await sleep(200);
  }
  throw new Error(`The forecast ${id} did not complete.`);
}

/** Stamps the proofs that wait, without the pauses of a service, which stamps once in a minute. */
async function stampProofs({ ALMANAC_DATA, DATABASE_URL }: Environment, environment: Environment): Promise<void> {
  const [log, clock] = [createLog('silent'), systemClock];
  const database = await openDatabase(DATABASE_URL ? { url: DATABASE_URL } : { folder: ALMANAC_DATA });
  try {
    const stamper = await openStamper(loadTestConfig(environment), { database, clock, log });
    assert.ok(stamper);
    await createStampRun({ clock, log, stamper, pauseMs: 10 })(new AbortController().signal);
  } finally {
    await database.close();
  }
}
