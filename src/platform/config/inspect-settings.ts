import { ConfigError } from './config-error.ts';
import { findUnknownSettings, loadConfig } from './load-config.ts';
import { fileVariable, SECRET_SETTING_NAMES, withSecretFiles } from './secret-files.ts';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of an environment, as an operator checks them. */
export interface SettingsReport {
  /** The settings that are set, without their secrets, in the order of the docs. */
  readonly settings: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: 'environment' | 'file';
  }[];
  /** A sentence for each setting that is invalid; with those that contradict each other only if there are no others. */
  readonly problems: readonly string[];
  /** The variables that start with ALMANAC_ and are not settings, with the setting that was probably meant. */
  readonly unknown: readonly { readonly name: string; readonly nearest: string | null }[];
}

/** Reads the settings as a start does, but does not end at the first invalid one. */
export function inspectSettings(environment: Environment): SettingsReport {
  const [resolved, fileProblem] = resolveFiles(environment);
  const set = Object.keys(SETTINGS).flatMap((name) => {
    const text = resolved[name]?.trim();
    return text ? [{ name, text }] : [];
  });
  return {
    settings: set.map(({ name, text }) => ({
      name,
      value: maskSetting(name, text),
      source: environment[name]?.trim() ? 'environment' : 'file',
    })),
    problems: fileProblem === null ? findProblems(environment, set) : [fileProblem],
    unknown: findUnknownSettings(environment).map((name) => ({ name, nearest: findNearest(name) })),
  };
}

/** Returns the environment with the values of files, or without them and with what is wrong with a file. */
function resolveFiles(environment: Environment): [resolved: Environment, problem: string | null] {
  try {
    return [withSecretFiles(environment), null];
  } catch (error) {
    if (error instanceof ConfigError) return [environment, error.message];
    throw error;
  }
}

function findProblems(environment: Environment, set: readonly { name: string; text: string }[]): string[] {
  const problems = set.flatMap(({ name, text }) => {
    try {
      SETTINGS[name as keyof typeof SETTINGS].read(text);
      return [];
    } catch (error) {
      return [`${name} must ${(error as Error).message}.`];
    }
  });
  if (problems.length > 0) return problems;
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

const SECRET = '[secret]';

/** Hides keys, and of URLs everything that may hold one: the user, the password, and the path and query of a chain's node. */
export function maskSetting(name: string, text: string): string {
  const isUrl = name.endsWith('_URL');
  if (!isUrl && (SECRET_SETTING_NAMES as readonly string[]).includes(name)) return SECRET;
  const url = URL.canParse(text) ? new URL(text) : null;
  // The text may be a URL that is written wrong, with a password in it.
  if (url === null) return text.includes('@') && text.includes('://') ? SECRET : text;
  if (name === 'ALMANAC_CHAIN_URL' && (url.pathname !== '/' || url.search !== '')) return `${url.origin}/${SECRET}`;
  if (url.username === '' && url.password === '' && url.search === '') return text;
  const user = url.username === '' && url.password === '' ? '' : `${url.username}:${SECRET}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === '' ? '' : `?${SECRET}`}`;
}

/** A name with more errors than this was not meant. */
const MAX_EDITS = 4;

function findNearest(name: string): string | null {
  const [nearest] = [...Object.keys(SETTINGS), ...SECRET_SETTING_NAMES.map(fileVariable)]
    .map((known) => ({ known, edits: countEdits(name, known) }))
    .sort((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= MAX_EDITS ? nearest.known : null;
}

/** Counts the letters to insert, remove or replace to get from one word to the other. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
