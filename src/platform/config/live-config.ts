import type { Log } from '../log.ts';
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
 * Reads the secret files of a running process every ten seconds. A changed value is used when two reads in a row have
 * found the same content in all files, so that the two halves of a key change together. A bad value is logged, and the
 * one before stays in use.
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
  let used = readAll(secretFiles);
  let seen = used;

  const poll = (): void => {
    const found = readAll(secretFiles);
    const isSettled = areEqual(found, seen);
    seen = found;
    if (!isSettled || areEqual(found, used)) return;
    const changed = secretFiles.filter((_, index) => found[index] !== used[index]).map(({ name }) => name);
    used = found;
    try {
      const newer = loadConfig(environment);
      requireSameParts(current, newer, changed);
      current = newer;
      log.info({ settings: changed }, 'took new secrets from files');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const remedy =
        'the value before stays in use; correct the file, or restart the service if it must change as a whole';
      log.error({ settings: changed, reason: error.message }, `a changed secret file cannot be used: ${remedy}`);
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
        return withoutPassword(text) === withoutPassword(known) ? text : known;
      } catch {
        // The next read of all files reports it.
        return known;
      }
    },
    close: () => clearInterval(timer),
  };
}

/** Returns the contents of the files, and in place of one that cannot be read what is wrong with it. */
function readAll(files: readonly SecretFile[]): readonly string[] {
  return files.map(({ name, path }) => {
    try {
      return `value ${readSecretFile(fileVariable(name), path)}`;
    } catch (error) {
      return `problem ${(error as Error).message}`;
    }
  });
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.every((text, index) => text === other[index]);
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
