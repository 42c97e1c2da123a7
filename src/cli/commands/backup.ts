import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { type BackupProgress, type Config, type Manifest, requireTarget, systemClock } from '../../platform/index.ts';
import { openBackupSource } from '../backup/open-source.ts';
import { KEY_OPTIONS, readBackupKey } from '../backup/read-backup-key.ts';
import { type CommandValues, type LocalCommand, type Terminal, UsageError } from '../command.ts';
import { interrupted } from '../failures.ts';
import { startProgress } from '../progress.ts';

const MIB = 1024 * 1024;
/** How long a restore waits for a command that holds the data folder. */
const LOCK_WAIT_MS = 5_000;

export const backupCommands: LocalCommand[] = [
  {
    name: 'backup',
    arguments: [{ name: 'FILE', isFile: true }],
    options: { ...KEY_OPTIONS, force: { type: 'boolean', help: 'replace FILE if it exists' } },
    summary: 'Writes everything that a service stores into one encrypted file, also while the service runs.',
    example: 'backup almanac.backup --key-file backup.key',
    run: runBackup,
  },
  {
    name: 'restore',
    arguments: [{ name: 'FILE', isFile: true }],
    options: {
      ...KEY_OPTIONS,
      check: { type: 'boolean', help: 'only check FILE; restore nothing' },
      force: { type: 'boolean', help: 'replace private files of the data folder that differ' },
    },
    summary: 'Restores a backup into an empty database of either kind and compares every row with it.',
    example: 'restore almanac.backup --key-file backup.key',
    run: runRestore,
  },
];

async function runBackup(
  config: Config,
  [file = '']: readonly string[],
  values: CommandValues,
  terminal: Terminal,
): Promise<object> {
  const key = await readBackupKey(values, terminal, { isNew: true });
  if (file === '') throw new UsageError('FILE must not be empty.');
  const path = resolve(file);
  const isForced = values.force === true;
  // Before the copy of a large database is made in vain.
  await requireTarget(path, isForced);
  const { backUp } = await import('../../compose/index.ts');
  // Requests to services on this machine go before the backup. A process that only runs this command stays slow.
  if (terminal.stderr === process.stderr) setPriority(constants.priority.PRIORITY_LOW);
  const startedAt = performance.now();
  using progress = startProgress(terminal.stderr);
  await using open = new AsyncDisposableStack();
  try {
    progress.show(config.databaseUrl === undefined ? 'copying the database' : 'connecting', false);
    const { access, pauseMs } = await openBackupSource(config, open);
    const { manifest, size } = await backUp(config, access, {
      path,
      key,
      isForced,
      clock: systemClock,
      signal: progress.signal,
      onProgress: (state) => progress.show(`backing up ${formatProgress(state)}`, false),
    });
    return {
      backup: path,
      size,
      seconds: secondsSince(startedAt),
      ...(pauseMs !== null && { pause_ms: pauseMs }),
      ...describeManifest(manifest),
    };
  } catch (error) {
    throw progress.signal.aborted ? interrupted() : error;
  }
}

async function runRestore(
  config: Config,
  [file = '']: readonly string[],
  values: CommandValues,
  terminal: Terminal,
): Promise<object> {
  const key = await readBackupKey(values, terminal, { isNew: false });
  const path = resolve(file);
  const isDryRun = values.check === true;
  const { restoreBackup } = await import('../../compose/index.ts');
  const startedAt = performance.now();
  using progress = startProgress(terminal.stderr);
  try {
    const { manifest } = await restoreBackup(config, {
      path,
      key,
      isForced: values.force === true,
      isDryRun,
      lockWaitMs: LOCK_WAIT_MS,
      signal: progress.signal,
      onProgress: ({ step, ...state }) => {
        progress.show(
          step === 'reading' ? `reading ${formatMib(state.bytes)}` : `${step} ${formatProgress(state)}`,
          false,
        );
      },
    });
    return {
      [isDryRun ? 'checked' : 'restored']: path,
      database: config.databaseUrl === undefined ? 'pglite' : 'postgres',
      seconds: secondsSince(startedAt),
      ...describeManifest(manifest),
    };
  } catch (error) {
    throw progress.signal.aborted ? interrupted() : error;
  }
}

/** The facts of a backup that its owner wants to see. */
function describeManifest({ created_at, build, engine, database, tables, checkpoints, files }: Manifest): object {
  return {
    made: { at: created_at, build, engine, database },
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.map(({ name }) => name),
    checkpoints_to_pull: checkpoints,
  };
}

function formatProgress({ table, rows, bytes, totalBytes }: BackupProgress): string {
  const amount = rows === 0 ? formatMib(bytes) : `${rows} rows, ${formatMib(bytes)}`;
  return `${table}: ${amount} of about ${formatMib(Math.max(bytes, totalBytes))}`;
}

function formatMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
