import type { Log } from '../log.ts';
import { checkPostgresUrl } from './checks.ts';
import { ConfigError } from './config-error.ts';
import { type Config, loadConfig } from './load-config.ts';
import { fileVariable, readSecretFile, type SecretFile } from './secret-files.ts';
import { withoutPassword } from './url-passwords.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a process with the secrets that their files have now. */
export interface LiveConfig {
  current(): Config;
  /**
   * Returns the URL of a database as its file has it now, for a new connection. The file is read, because the server
   * refuses the previous password at once.
   */
  readDatabaseUrl(setting: DatabaseSetting): string | undefined;
  /** Stops reading the files. */
  close(): void;
}

type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** Returns settings that do not change, as those of a command. */
export function fixedConfig(config: Config): LiveConfig {
  return {
    current: () => config,
    readDatabaseUrl: (setting) => (setting === 'DATABASE_URL' ? config.databaseUrl : config.databaseDirectUrl),
    close: () => undefined,
  };
}

/** How often the files are read. Changes of mounted secrets are not reported by the system on every file system. */
export const POLL_MS = 10_000;

/** Of these settings, a part is known to other parts of the process from the start. */
const FIXED_SETTINGS: readonly string[] = ['ALMANAC_CHAIN_URL'];

/**
 * Reads the secret files of a running process every ten seconds. Changed values are used when two reads in a row have
 * found the same content in all files, so that the two halves of a key change together. A bad value is logged once, and
 * the one before stays in use; those of the other files are used.
 *
 * @param environment the variables that `config` was read from
 * @returns also `poll`, which reads the files now
 */
export function watchSecretFiles(
  environment: Environment,
  config: Config,
  log: Pick<Log, 'info' | 'error'>,
): LiveConfig & { poll(): void } {
  const { secretFiles } = config;
  let current = config;
  let handled = readAll(secretFiles);
  let seen = handled;
  /** The values in use, by the name of the setting. */
  let used = valuesOf(handled);

  const logProblem = (settings: readonly string[], reason: string): void => {
    const remedy =
      'the value before stays in use; correct the file, or restart the service if it must change as a whole';
    log.error({ settings, reason }, `a changed secret file cannot be used: ${remedy}`);
  };
  /** Uses changed values. Returns what is wrong with them, or null. */
  const take = (changes: Values): string | null => {
    const values = { ...used, ...changes };
    try {
      const newer = { ...loadConfig(withValues(environment, values)), secretFiles };
      requireSameParts(current, newer, Object.keys(changes));
      [current, used] = [newer, values];
      log.info({ settings: Object.keys(changes) }, 'took new secrets from files');
      return null;
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  };
  const poll = (): void => {
    const found = readAll(secretFiles);
    const isSettled = areEqual(found, seen);
    seen = found;
    if (!isSettled || areEqual(found, handled)) return;
    for (const [index, { name, problem }] of found.entries()) {
      if (problem !== undefined && problem !== handled[index]?.problem) logProblem([name], problem);
    }
    handled = found;
    const broken = found.flatMap(({ name, problem }) => (problem === undefined ? [] : [keyOf(name)]));
    const changes = Object.entries(valuesOf(found)).filter(
      ([name, value]) => value !== used[name] && !broken.includes(keyOf(name)),
    );
    if (changes.length === 0 || take(Object.fromEntries(changes)) === null) return;
    // One of them is bad. The others may be good without it.
    for (const ofKey of Map.groupBy(changes, ([name]) => keyOf(name)).values()) {
      const problem = take(Object.fromEntries(ofKey));
      if (problem !== null) {
        logProblem(
          ofKey.map(([name]) => name),
          problem,
        );
      }
    }
  };
  // Without files, nothing can change.
  const timer = secretFiles.length === 0 ? undefined : setInterval(poll, POLL_MS).unref();

  return {
    poll,
    current: () => current,
    readDatabaseUrl(setting) {
      const known = setting === 'DATABASE_URL' ? current.databaseUrl : current.databaseDirectUrl;
      const file = secretFiles.find(({ name }) => name === setting);
      if (file === undefined || known === undefined) return known;
      try {
        const text = readSecretFile(fileVariable(setting), file.path).trim();
        checkPostgresUrl(text);
        return withoutPassword(text) === withoutPassword(known) ? text : known;
      } catch {
        // The next read of all files reports it.
        return known;
      }
    },
    close: () => clearInterval(timer),
  };
}

type Values = Readonly<Record<string, string>>;

/** Returns what the two halves of a key have in common. @example keyOf('ALMANAC_ALPACA_KEY_ID') // 'ALMANAC_ALPACA' */
function keyOf(name: string): string {
  return name.replace(/_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|KEY_ID|SECRET)$/, '');
}

/** The content of a file, or what is wrong with it. */
interface FoundFile {
  readonly name: string;
  readonly value?: string;
  readonly problem?: string;
}

function readAll(files: readonly SecretFile[]): readonly FoundFile[] {
  return files.map(({ name, path }) => {
    try {
      return { name, value: readSecretFile(fileVariable(name), path) };
    } catch (error) {
      return { name, problem: (error as Error).message };
    }
  });
}

function areEqual(one: readonly FoundFile[], other: readonly FoundFile[]): boolean {
  return one.every(({ value, problem }, index) => value === other[index]?.value && problem === other[index]?.problem);
}

function valuesOf(files: readonly FoundFile[]): Values {
  return Object.fromEntries(files.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** Returns the environment with values in place of the files that have them. */
function withValues(environment: Environment, values: Values): Environment {
  const without = Object.keys(values).map((name) => [fileVariable(name), undefined]);
  return { ...environment, ...values, ...Object.fromEntries(without) };
}

/** Throws a `ConfigError` if more than a password changed in an address to which the process is connected. */
function requireSameParts(before: Config, after: Config, changed: readonly string[]): void {
  for (const [setting, url, newer] of [
    ['DATABASE_URL', before.databaseUrl, after.databaseUrl],
    ['DATABASE_DIRECT_URL', before.databaseDirectUrl, after.databaseDirectUrl],
  ] as const) {
    if (withoutPassword(url ?? '') === withoutPassword(newer ?? '')) continue;
    throw new ConfigError(`Only the password in ${setting} can change while the service runs.`);
  }
  const fixed = changed.find((name) => FIXED_SETTINGS.includes(name));
  if (fixed !== undefined) throw new ConfigError(`${fixed} cannot change while the service runs.`);
}
