import { setTimeout as sleep } from 'node:timers/promises';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, loadConfig } from '../../src/platform/index.ts';
import { type Service, startService } from '../support/cli/service.ts';
import { checkByApi, checkBySql } from './check.ts';
import { Ledger } from './ledger.ts';
import { between, type Random } from './random.ts';
import type { SoakDatabase } from './soak-database.ts';
import { type Account, type Written, writeUntilKilled } from './writer.ts';

export interface Tally {
  passed: number;
  failed: number;
}

export interface SoakOptions {
  readonly rounds: number;
  readonly random: Random;
  /** Lose one acknowledged row in the first round, to see that this fails. */
  readonly sabotage: boolean;
}

const WRITERS = 6;
/** Each round writes at least this much, however slow the machine, and then goes on for a random while. */
const MIN_WRITTEN = 30;
const WRITING_MS = { shortest: 0, longest: 1_200 };

/** High enough that no request is refused for its number. */
const ENVIRONMENT = { ALMANAC_RATE_PRO: '1000000', ALMANAC_RATE_ANONYMOUS: '1000000' };

/**
 * kill -9 during a loop of acknowledged writes, again and again on one database: it reopens each time, and nothing that
 * was acknowledged, in any round so far, is missing.
 */
export async function killRounds(database: SoakDatabase, options: SoakOptions): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const accounts = await makeAccounts(database);
  let service: Service | null = await start(database);
  for (let round = 1; round <= options.rounds && service; round += 1) {
    const kill = await writeAndKill(database, service, accounts, options.random, round);
    if (options.sabotage && round === 1) await loseOne(database, accounts);
    const faults = [...kill.faults, ...(await checkBySql(database, accounts))];
    const reopening = performance.now();
    service = await start(database).catch((error) => {
      faults.push(`it does not reopen: ${error}`);
      return null;
    });
    const reopenedMs = Math.round(performance.now() - reopening);
    if (service) faults.push(...(await checkByApi(service, accounts, options.random)));
    tally[faults.length === 0 ? 'passed' : 'failed'] += 1;
    const known = accounts.reduce((sum, { ledger }) => sum + ledger.size, 0);
    console.log(
      `${database.kind} round ${round}/${options.rounds}: ${describe(kill)}; ${known} keys checked, ` +
        `reopened in ${reopenedMs} ms: ${faults.length === 0 ? 'ok' : 'FAILED'}`,
    );
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
  }
  await service?.stop();
  return tally;
}

async function loseOne(database: SoakDatabase, accounts: readonly Account[]): Promise<void> {
  const [key] = accounts.flatMap(({ ledger }) => ledger.live());
  if (!key) throw new Error('There is nothing to lose yet.');
  await database.lose(key.id);
}

interface Kill {
  readonly written: Written;
  /** Connections that were ended from the server's side first. */
  readonly cut: number;
  readonly afterMs: number;
  readonly faults: string[];
}

function describe({ written, cut, afterMs }: Kill): string {
  const interruption = cut > 0 ? `${cut} connections cut, ${written.unavailable} refused, ` : '';
  return `${written.created} made, ${written.revoked} revoked, ${interruption}killed after ${afterMs} ms`;
}

async function writeAndKill(
  database: SoakDatabase,
  service: Service,
  accounts: readonly Account[],
  random: Random,
  round: number,
): Promise<Kill> {
  const faults: string[] = [];
  const written: Written = { created: 0, revoked: 0, unavailable: 0 };
  const began = performance.now();
  const writing = Promise.allSettled(accounts.map((account) => writeUntilKilled(service, account, random, written)));
  const deadline = began + 60_000;
  while (written.created + written.revoked < MIN_WRITTEN && performance.now() < deadline) await sleep(5);
  await sleep(between(random, WRITING_MS.shortest, WRITING_MS.longest));
  // Every other round the connections break first, in the middle of transactions, and the service has to go on.
  const cut = round % 2 === 0 ? await database.cutConnections() : 0;
  if (cut > 0) await sleep(between(random, WRITING_MS.shortest, WRITING_MS.longest));
  const { code } = await service.kill9();
  const afterMs = Math.round(performance.now() - began);
  if (code !== null) faults.push(`the service had ended by itself with ${code}: ${service.stderr().slice(-2_000)}`);
  for (const result of await writing) {
    if (result.status === 'rejected') faults.push(`a writer met what no kill explains: ${result.reason}`);
  }
  if (cut === 0 && written.unavailable > 0) faults.push(`${written.unavailable} requests refused without a reason`);
  if (written.created + written.revoked < MIN_WRITTEN) faults.push('hardly anything could be written');
  return { faults, written, cut, afterMs };
}

function start(database: SoakDatabase): Promise<Service> {
  return startService({ ...database.options, environment: ENVIRONMENT });
}

/** Made past the API, which cannot make accounts. */
async function makeAccounts({ options }: SoakDatabase): Promise<Account[]> {
  const config = loadConfig({ ALMANAC_DATA: options.data ?? '', DATABASE_URL: options.databaseUrl });
  const { database, identity } = await openFoundation(config, createLog('warn'));
  const accounts: Account[] = [];
  for (let number = 1; number <= WRITERS; number += 1) {
    const { id } = await createAccount(identity, { email: `writer-${number}@example.org`, plan: 'pro' });
    const { key } = await createApiKey(identity, { accountId: id, name: 'credential', scopes: SCOPES });
    accounts.push({ id, key, ledger: new Ledger() });
  }
  await database.close();
  return accounts;
}
