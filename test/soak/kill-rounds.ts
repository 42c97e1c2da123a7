import { setTimeout as sleep } from 'node:timers/promises';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { type Service, startService } from '../support/cli/service.ts';
import { type Random, uniformBetween } from '../support/platform/seeded-random.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { AcknowledgedKeys } from './acknowledged-keys.ts';
import { findApiViolations, findSqlViolations } from './find-violations.ts';
import type { SoakDatabase } from './soak-database.ts';
import { type Account, type Written, writeUntilKilled } from './writer.ts';

export interface Tally {
  passed: number;
  failed: number;
}

export interface SoakOptions {
  readonly rounds: number;
  readonly random: Random;
  /** Deletes one acknowledged row in the first round, to prove that the checks detect it. */
  readonly sabotage: boolean;
}

const WRITERS = 6;
/** The number of writes in each round, however slow the machine is. Writing then continues for a random time. */
const MIN_WRITES = 30;
const WRITING_MS = { min: 0, max: 1_200 };

/** Limits that no writer reaches. */
const ENVIRONMENT = { ALMANAC_RATE_PRO: '1000000', ALMANAC_RATE_ANONYMOUS: '1000000' };

/**
 * Kills the service with -9 during a loop of writes, round after round on one database. Checks that the database reopens
 * each time and that no acknowledged write of any round is missing.
 */
export async function runKillRounds(database: SoakDatabase, options: SoakOptions): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const accounts = await createAccounts(database);
  let service: Service | null = await start(database);
  for (let round = 1; round <= options.rounds && service; round += 1) {
    const kill = await writeAndKill(database, service, accounts, options.random, round);
    if (options.sabotage && round === 1) await deleteOne(database, accounts);
    const violations = [...kill.violations, ...(await findSqlViolations(database, accounts))];
    const reopening = performance.now();
    service = await start(database).catch((error) => {
      violations.push(`the service does not start again: ${error}`);
      return null;
    });
    const reopenedMs = Math.round(performance.now() - reopening);
    if (service) violations.push(...(await findApiViolations(service, accounts, options.random)));
    tally[violations.length === 0 ? 'passed' : 'failed'] += 1;
    const known = accounts.reduce((sum, { keys }) => sum + keys.size, 0);
    console.log(
      `${database.kind} round ${round}/${options.rounds}: ${formatKill(kill)}; ${known} keys checked, ` +
        `reopened in ${reopenedMs} ms: ${violations.length === 0 ? 'ok' : 'FAILED'}`,
    );
    for (const violation of violations.slice(0, 10)) console.log(`  ${violation}`);
  }
  await service?.stop();
  return tally;
}

async function deleteOne(database: SoakDatabase, accounts: readonly Account[]): Promise<void> {
  const [key] = accounts.flatMap(({ keys }) => keys.live());
  if (!key) throw new Error('No key has been acknowledged yet.');
  await database.deleteKey(key.id);
}

interface Kill {
  readonly written: Written;
  /** Connections that the server terminated before the kill. */
  readonly cut: number;
  readonly afterMs: number;
  readonly violations: string[];
}

function formatKill({ written, cut, afterMs }: Kill): string {
  const interruption = cut > 0 ? `${cut} connections cut, ${written.unavailable} refused, ` : '';
  return `${written.created} created, ${written.revoked} revoked, ${interruption}killed after ${afterMs} ms`;
}

async function writeAndKill(
  database: SoakDatabase,
  service: Service,
  accounts: readonly Account[],
  random: Random,
  round: number,
): Promise<Kill> {
  const violations: string[] = [];
  const written: Written = { created: 0, revoked: 0, unavailable: 0 };
  const startedAt = performance.now();
  const writing = Promise.allSettled(accounts.map((account) => writeUntilKilled(service, account, random, written)));
  const deadline = startedAt + 60_000;
  while (written.created + written.revoked < MIN_WRITES && performance.now() < deadline) await sleep(5);
  await sleep(uniformBetween(random, WRITING_MS.min, WRITING_MS.max));
  // In every other round connections break first, in the middle of transactions, and the service must continue.
  const cut = round % 2 === 0 ? await database.cutConnections() : 0;
  if (cut > 0) await sleep(uniformBetween(random, WRITING_MS.min, WRITING_MS.max));
  const { code } = await service.kill9();
  const afterMs = Math.round(performance.now() - startedAt);
  if (code !== null)
    violations.push(`the service had ended unexpectedly with ${code}: ${service.stderr().slice(-2_000)}`);
  for (const result of await writing) {
    if (result.status === 'rejected') violations.push(`a writer got an unexpected response: ${result.reason}`);
  }
  if (cut === 0 && written.unavailable > 0) violations.push(`${written.unavailable} requests refused without a reason`);
  if (written.created + written.revoked < MIN_WRITES) violations.push('too few writes succeeded');
  return { violations, written, cut, afterMs };
}

function start(database: SoakDatabase): Promise<Service> {
  return startService({ ...database.options, environment: ENVIRONMENT });
}

/** Creates accounts without the API, which cannot create accounts. */
async function createAccounts({ options }: SoakDatabase): Promise<Account[]> {
  const config = loadTestConfig({ ALMANAC_DATA: options.data ?? '', DATABASE_URL: options.databaseUrl });
  const { database, identity } = await openFoundation(config, createLog('warn'));
  const accounts: Account[] = [];
  for (let number = 1; number <= WRITERS; number += 1) {
    const { id } = await createAccount(identity, { email: `writer-${number}@example.org`, plan: 'pro' });
    const { key } = await createApiKey(identity, { accountId: id, name: 'credential', scopes: SCOPES });
    accounts.push({ id, key, keys: new AcknowledgedKeys() });
  }
  await database.close();
  return accounts;
}
