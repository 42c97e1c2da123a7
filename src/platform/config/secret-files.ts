import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { SETTINGS, type SettingName } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A secret setting whose value is the content of a file. */
export interface SecretFile {
  readonly name: SettingName;
  /** The absolute path. */
  readonly path: string;
}

/** The settings that can be in files. */
export const SECRET_SETTING_NAMES: readonly SettingName[] = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'isSecret' in setting && setting.isSecret ? [name as SettingName] : [],
);

/** Variables of the command line that hold secrets. */
const SECRET_VARIABLES = ['ALMANAC_KEY', 'ALMANAC_BACKUP_PASSPHRASE'] as const;

/** Every variable that names a file with a secret. */
export const FILE_VARIABLES: readonly string[] = [...SECRET_SETTING_NAMES, ...SECRET_VARIABLES].map(fileVariable);

/** @example fileVariable('ALMANAC_FRED_KEY') // 'ALMANAC_FRED_KEY_FILE' */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** Returns the secret settings that are in files. Throws a `ConfigError` if a setting is set in both ways. */
export function listSecretFiles(environment: Environment): readonly SecretFile[] {
  return SECRET_SETTING_NAMES.flatMap((name) => {
    const path = findSecretPath(environment, name);
    return path === null ? [] : [{ name, path }];
  });
}

/** Returns the environment with the values of secret settings that are in files. Throws a `ConfigError` for a bad file. */
export function withSecretFiles(environment: Environment): Environment {
  const values = listSecretFiles(environment).map(({ name, path }) => [name, readSecretFile(fileVariable(name), path)]);
  return values.length === 0 ? environment : { ...environment, ...Object.fromEntries(values) };
}

/** Returns the value of a secret variable of the command line, which can be in a file; undefined if it is not set. */
export function readSecretVariable(
  environment: Environment,
  name: (typeof SECRET_VARIABLES)[number],
): string | undefined {
  const path = findSecretPath(environment, name);
  return path === null ? environment[name] || undefined : readSecretFile(fileVariable(name), path);
}

function findSecretPath(environment: Environment, name: string): string | null {
  const path = environment[fileVariable(name)]?.trim();
  if (!path) return null;
  if (environment[name]?.trim()) {
    throw new ConfigError(`${name} and ${fileVariable(name)} must not both be set. Keep one of them.`);
  }
  return resolve(path);
}

/** Far above the longest secret. */
const MAX_FILE_BYTES = 16 * 1024;

/**
 * Reads a secret. One line feed at the end is removed, because most editors add it. Throws a `ConfigError` that contains
 * nothing of the file.
 *
 * @param variable the variable that names the file
 */
export function readSecretFile(variable: string, path: string): string {
  const shown = JSON.stringify(path.slice(0, 200));
  const refuse = (problem: string) => new ConfigError(`${variable} names the file ${shown}, which ${problem}.`);
  let bytes: Buffer;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw refuse('is not a file');
    if (found.size > MAX_FILE_BYTES) throw refuse(`is larger than ${MAX_FILE_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw refuse(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown error'})`);
  }
  const text = decode(bytes)?.replace(/\r?\n$/, '');
  if (text === undefined || /\p{Cc}/u.test(text)) throw refuse('is not one line of text');
  if (text.trim() === '') throw refuse('is empty');
  return text;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
