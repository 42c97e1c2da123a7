import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, checkPgliteFiles, createLog, openDatabase, probePostgres } from '../../platform/index.ts';
import { callRunningService } from '../control-socket.ts';
import { describeContent } from './check-content.ts';
import type { DatabaseFacts } from './database-facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { inspectDatabase } from './inspect-database.ts';

const CHECK = 'database';
const CONNECT_MS = 4_000;

/** Clocks of machines with NTP differ by milliseconds. Beyond the second one, new credentials can look expired. */
const CLOCK_WARNING_MS = 2_000;
const CLOCK_PROBLEM_MS = 30_000;

/** Checks the database and, if it can be read, its server's clock and its content. */
export async function checkDatabase(config: Config, options: { readonly online: boolean }): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) {
    const [facts, pooler] = await Promise.all([readPostgres(config, options), checkPooler(config)]);
    return [...describeFacts(facts), ...pooler];
  }
  const facts = (await callRunningService(config.dataFolder, 'doctor', options)) as DatabaseFacts | null;
  if (facts !== null) return describeFacts(facts);
  // A start would recover and migrate the database, so without a service only its files are read.
  if (!existsSync(join(config.dataFolder, 'database'))) {
    return [ok(CHECK, `There is no database yet. The first start creates it in ${config.dataFolder}.`)];
  }
  checkPgliteFiles(config.dataFolder);
  return [ok(CHECK, 'The files of the embedded database are sound. Its content is checked while the service runs.')];
}

/** Checks that the pooler, if there is one, reaches a database. The database itself is read without it. */
async function checkPooler({ databaseUrl, databaseDirectUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return [];
  try {
    await probePostgres(databaseUrl, CONNECT_MS);
    return [ok('pooler', 'The pooler of DATABASE_URL reaches a database.')];
  } catch (error) {
    const { explainError } = await import('../explain-error.ts');
    const step = 'Start the pooler, or correct DATABASE_URL; see "Connection pooler" in docs/operations.md.';
    return [problem('pooler', explainError(error).split('\n', 1)[0] ?? '', step)];
  }
}

/** Reads the database without the pooler, and without the migrations and role settings of a start. */
async function readPostgres(config: Config, options: { readonly online: boolean }): Promise<DatabaseFacts> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const database = await openDatabase({ url, poolSize: 2, connectTimeoutMs: CONNECT_MS });
  try {
    const { createFoundation } = await import('../../compose/index.ts');
    return await inspectDatabase(createFoundation({ config, log: createLog('silent'), database }), options);
  } finally {
    await database.close();
  }
}

function describeFacts(facts: DatabaseFacts): Finding[] {
  const { content } = facts;
  return [describeServer(facts), describeClock(facts), ...(content === null ? [] : describeContent(content))];
}

function describeServer(facts: DatabaseFacts): Finding {
  const { kind, version, responseMs, bytes, storageProblem, pending, isEmpty } = facts;
  const server = kind === 'pglite' ? 'The embedded database' : `PostgreSQL ${version}`;
  const found = `${server} responds in ${responseMs} ms and has ${Math.ceil(bytes / 1024 ** 2)} MiB`;
  if (storageProblem !== null) {
    return problem(
      CHECK,
      `${server} stores nothing: ${storageProblem}.`,
      'Free space on its disk, or make it writable.',
    );
  }
  if (isEmpty) return ok(CHECK, `${found}. It is empty; the first start creates the tables.`);
  if (pending.length > 0) {
    const step = 'Back it up, then start this build or run almanac migrate.';
    return warning(CHECK, `${found}. It is older than this build: ${pending.length} migrations have not run.`, step);
  }
  return ok(CHECK, `${found}. Its tables are those of this build.`);
}

function describeClock({ kind, clockAheadMs }: DatabaseFacts): Finding {
  const ms = Math.abs(clockAheadMs);
  if (kind === 'pglite') return ok('clock', 'The embedded database uses the clock of this machine.');
  if (ms < CLOCK_WARNING_MS) return ok('clock', `The clock of the database server agrees (${ms} ms).`);
  const message = `The clock of the database server is ${(ms / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const step = 'Set both by NTP, for example with timedatectl set-ntp true.';
  return (ms < CLOCK_PROBLEM_MS ? warning : problem)('clock', message, step);
}
