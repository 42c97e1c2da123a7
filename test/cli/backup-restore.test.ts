import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBackup, openBackup, tryLockFile } from '../../src/platform/index.ts';
import { callAlmanac, type Ending, type Environment, spawnAlmanac } from '../support/cli/almanac-process.ts';
import {
  emptyPostgres,
  type PreparedFolder,
  preparedFolder,
  startService,
  temporaryFolder,
} from '../support/cli/service.ts';
import { runAt } from '../support/platform/run-at.ts';

const hasServer = process.env.TEST_DATABASE_URL !== undefined;
const folder = temporaryFolder();
const keyFile = join(folder, 'backup.key');
const key = randomBytes(32);
writeFileSync(keyFile, key);
after(() => rmSync(folder, { recursive: true, force: true }));

const succeed = async (environment: Environment, ...args: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await callAlmanac(args, environment);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
};
const backUp = (environment: Environment, name: string) =>
  succeed(environment, 'backup', join(folder, name), '--key-file', keyFile);
const restore = (environment: Environment, name: string, ...options: string[]) =>
  succeed(environment, 'restore', join(folder, name), '--key-file', keyFile, ...options);

/** Returns the tables of a backup with the digests of their rows. */
async function tablesOf(name: string) {
  await using backup = await openBackup(join(folder, name), { kind: 'file', bytes: key });
  const { manifest } = await checkBackup(backup);
  return manifest.tables;
}

describe('a backup of a running service', () => {
  let apiKey: string;

  test('is made while it serves, from the embedded database', async () => {
    await using prepared = await preparedFolder();
    await using service = await startService({ data: prepared.data });
    apiKey = service.key;
    const made = await backUp(service.environment, 'embedded.backup');
    assert.equal(typeof made.pause_ms, 'number');
    assert.deepEqual(made.files, ['demo-api-key']);
    assert.equal(statSync(join(folder, 'embedded.backup')).mode & 0o777, 0o600);
    assert.equal((await service.fetch('/api/v1/ensemble-forecasts')).status, 200, 'it still serves');
    assert.ok(!readdirSync(prepared.data).includes('backup.copy'), 'the copy is removed');
    const content = readFileSync(join(folder, 'embedded.backup'));
    for (const secret of [apiKey, 'demo@almanac.local']) assert.equal(content.indexOf(secret), -1, secret);
  });

  // test/soak/backup-drills.ts loses a service and restores it: its forecasts are reproduced and its receipts verify.
  test('is restored into an empty database with every row', async () => {
    await using database = hasServer ? await emptyPostgres() : null;
    const data = join(folder, 'restored');
    const environment = { ALMANAC_DATA: data, ...(database && { DATABASE_URL: database.url }) };
    if (database === null) await killRestore(environment, 'embedded.backup');
    await restore(environment, 'embedded.backup');
    await backUp(environment, 'again.backup');
    assert.deepEqual(await tablesOf('again.backup'), await tablesOf('embedded.backup'), 'every row is the same');
    assert.equal(readFileSync(join(data, 'demo-api-key'), 'utf8'), `${apiKey}\n`);
    assert.equal(statSync(join(data, 'demo-api-key')).mode & 0o777, 0o600);
    // Its number in the history of the account follows those of the backup.
    await succeed(environment, 'user', 'create', 'later@example.org');
    assert.partialDeepStrictEqual(await succeed(environment, 'check', '--json'), { sound: true, findings: [] });
  });

  test('moves from PostgreSQL to the embedded database and back', { skip: !hasServer }, async () => {
    const data = { ALMANAC_DATA: join(folder, 'moved') };
    await restore(data, 'again.backup');
    await backUp(data, 'moved.backup');
    assert.deepEqual(await tablesOf('moved.backup'), await tablesOf('embedded.backup'));
    await using database = await emptyPostgres();
    await restore({ ...data, DATABASE_URL: database.url }, 'moved.backup');
  });
});

/** Kills a restore while it fills the database. It must leave none. */
async function killRestore(environment: Environment, name: string): Promise<void> {
  const args = ['restore', join(folder, name), '--key-file', keyFile];
  const { child, stderr, ended } = spawnAlmanac('src/cli/almanac.ts', args, environment);
  while (!stderr().includes('restoring') && child.exitCode === null) await sleep(1);
  child.kill('SIGKILL');
  assert.equal((await ended).signal, 'SIGKILL');
  assert.deepEqual(
    readdirSync(environment.ALMANAC_DATA ?? '').filter((file) => file === 'database'),
    [],
  );
}

describe('the commands backup and restore', () => {
  let prepared: PreparedFolder;
  let data: Environment;
  before(async () => {
    prepared = await preparedFolder();
    data = { ALMANAC_DATA: prepared.data };
    await succeed(data, 'user', 'create', 'ann@example.org');
    writeFileSync(join(prepared.data, 'a-secret'), 'of the operator');
    await backUp(data, 'small.backup');
  });
  after(() => prepared?.[Symbol.asyncDispose]());

  const fails = async (environment: Environment, message: RegExp, ...args: string[]): Promise<Ending> => {
    const ending = await callAlmanac(args, { ALMANAC_DATA: join(folder, 'none'), ...environment });
    assert.match(ending.stderr, message);
    assert.deepEqual([ending.stdout, ending.code === 0], ['', false]);
    return ending;
  };
  const small = join(folder, 'small.backup');

  test('refuse a wrong passphrase, a short one and none', async () => {
    const file = join(folder, 'passphrase.backup');
    await fails(data, /A backup is encrypted\. Set ALMANAC_BACKUP_PASSPHRASE/, 'backup', file);
    await fails({ ...data, ALMANAC_BACKUP_PASSPHRASE: 'short' }, /at least 12 characters/, 'backup', file);
    await fails(data, /\/dev\/zero has more than 4096 bytes/, 'backup', file, '--key-file', '/dev/zero');
    await fails(data, /not both/, 'backup', file, '--key-file', keyFile, '--passphrase-file', keyFile);
    await succeed({ ...data, ALMANAC_BACKUP_PASSPHRASE: 'correct horse battery' }, 'backup', file);
    await fails({ ALMANAC_BACKUP_PASSPHRASE: 'correct horse' }, /The passphrase is not the one/, 'restore', file);
    await fails({}, /was encrypted with a passphrase/, 'restore', file, '--key-file', keyFile);
    writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n');
    const checked = await succeed({}, 'restore', file, '--passphrase-file', join(folder, 'passphrase'), '--check');
    assert.equal(checked.checked, file);
    assert.ok(!existsSync(join(folder, 'none')), 'nothing was created');
  });

  test('check neither creates nor migrates a database', async () => {
    await fails({}, /none has no database\. Check ALMANAC_DATA/, 'check');
    assert.ok(!existsSync(join(folder, 'none')));
    if (!hasServer) return;
    await using database = await emptyPostgres();
    await fails({ DATABASE_URL: database.url }, /has no tables of Almanac/, 'check');
    await succeed({ ...data, DATABASE_URL: database.url }, 'migrate');
    await runAt(database.url, `DELETE FROM almanac_migrations WHERE domain = 'objects'`);
    await fails({ DATABASE_URL: database.url }, /These migrations have not run: objects\/0001-stored-parts/, 'check');
  });

  test('refuse a damaged file before anything is created', async () => {
    const bytes = readFileSync(small);
    const file = join(folder, 'damaged.backup');
    const damages = [bytes.subarray(0, bytes.length - 20), bytes.subarray(0, 300), Buffer.concat([bytes, bytes])];
    const changed = Buffer.from(bytes);
    changed[Math.floor(bytes.length / 2)] = 255 - (changed[Math.floor(bytes.length / 2)] as number);
    for (const damaged of [...damages, changed]) {
      writeFileSync(file, damaged);
      await fails({}, /(is damaged|is incomplete).*Nothing was changed/s, 'restore', file, '--key-file', keyFile);
    }
    await fails({}, /is not a backup of Almanac/, 'restore', keyFile, '--key-file', keyFile);
    await fails({}, /there is no such file/, 'restore', join(folder, 'nowhere'), '--key-file', keyFile);
    assert.ok(!existsSync(join(folder, 'none')), 'nothing was created');
  });

  test('replace no file and no database', async () => {
    await fails(data, /small\.backup exists\. Nothing was changed/, 'backup', small, '--key-file', keyFile);
    await fails(data, /has a database\. Nothing was changed/, 'restore', small, '--key-file', keyFile);
    await fails({}, /none has no database/, 'backup', join(folder, 'new.backup'), '--key-file', keyFile);
    assert.ok(!existsSync(join(folder, 'new.backup')));
    // Also with --force, the name of what is not a file is not taken.
    const link = join(folder, 'link.backup');
    symlinkSync(join(folder, 'nowhere'), link);
    for (const path of [link, folder]) {
      await fails(
        data,
        /is not a regular file\. Nothing was changed/,
        'backup',
        path,
        '--key-file',
        keyFile,
        '--force',
      );
    }
    assert.ok(lstatSync(link).isSymbolicLink());
    await fails(data, /The folder .*none does not exist/, 'backup', join(folder, 'none/x'), '--key-file', keyFile);
    const other = temporaryFolder();
    writeFileSync(join(other, 'a-secret'), 'another one');
    await fails({ ALMANAC_DATA: other }, /other contents in a-secret/, 'restore', small, '--key-file', keyFile);
    assert.deepEqual(readdirSync(other), ['a-secret']);
    rmSync(other, { recursive: true });
  });

  test('run one at a time for the embedded database', async () => {
    const file = join(folder, 'second.backup');
    const lock = await tryLockFile(join(prepared.data, 'backup.lock'));
    await fails(data, /Another backup of .* is running\. Nothing was changed/, 'backup', file, '--key-file', keyFile);
    lock?.release();
    await succeed(data, 'backup', file, '--key-file', keyFile);
  });

  test('a killed or interrupted backup leaves no file under its name', { skip: !hasServer }, async () => {
    await using database = await emptyPostgres();
    const environment = { ALMANAC_DATA: join(folder, 'none'), DATABASE_URL: database.url };
    await restore(environment, 'small.backup');
    const file = join(folder, 'killed.backup');
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      // The backup has begun its file and waits for this table.
      await using blocked = await holdLock(database.url, 'LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE');
      const args = ['backup', file, '--key-file', keyFile];
      const { child, ended } = spawnAlmanac('src/cli/almanac.ts', args, environment);
      await blocked.untilAwaited();
      child.kill(signal);
      if (signal === 'SIGINT') await blocked.release();
      const ending = await ended;
      assert.ok(!existsSync(file), signal);
      if (signal === 'SIGINT') assert.deepEqual([ending.code, existsSync(`${file}.partial`)], [130, false]);
    }
    await succeed(environment, 'backup', file, '--key-file', keyFile);
  });

  test('a killed restore leaves the PostgreSQL database empty', { skip: !hasServer }, async () => {
    await using database = await emptyPostgres();
    const environment = { ALMANAC_DATA: join(folder, 'none'), DATABASE_URL: database.url };
    // The restore has created tables in its transaction and waits before it creates those of the queue.
    const lock = `SELECT pg_advisory_lock(('x' || encode(sha224((current_database() || '.pgboss.queue')::bytea), 'hex'))::bit(64)::bigint)`;
    {
      await using blocked = await holdLock(database.url, lock);
      const { child, ended } = spawnAlmanac(
        'src/cli/almanac.ts',
        ['restore', small, '--key-file', keyFile],
        environment,
      );
      await blocked.untilAwaited();
      child.kill('SIGKILL');
      await ended;
    }
    await restore(environment, 'small.backup');
    await fails(
      environment,
      /not empty\. It has \d+ tables: .*account \(1 row\)/s,
      'restore',
      small,
      '--key-file',
      keyFile,
    );
  });
});

/** Holds a lock for which a command then waits. */
async function holdLock(url: string, statement: string) {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  let isReleased = false;
  const release = async () => {
    if (!isReleased) await client.end();
    isReleased = true;
  };
  return {
    release,
    untilAwaited: async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await runAt(url, waiting)).length === 0) await sleep(20);
    },
    [Symbol.asyncDispose]: release,
  };
}
