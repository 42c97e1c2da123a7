import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Almanac } from '../../client/src/index.ts';
import { type Config, readSecretVariable } from '../platform/index.ts';
import { type CommandOptions, type CommandValues, type Terminal, UsageError } from './command.ts';
import { findServiceAddress } from './control-socket.ts';

/** The options of commands that can use a service. */
export const SERVICE_OPTIONS = {
  server: {
    type: 'string',
    value: 'URL',
    format: 'URL',
    help: 'the service to use',
    default: 'the one of the data folder',
  },
  key: {
    type: 'string',
    value: 'KEY',
    help: 'the API key; better in ALMANAC_KEY or the file ALMANAC_KEY_FILE, which process lists do not show',
    default: 'ALMANAC_KEY',
  },
} as const satisfies CommandOptions;

/** A service and how it is reached. */
export interface Connection {
  readonly url: string;
  readonly hasKey: boolean;
  readonly almanac: Almanac;
}

interface ConnectOptions {
  readonly config: Config;
  readonly values: CommandValues;
  readonly env: Terminal['env'];
}

/** Few retries, because a person waits for the command. */
const MAX_RETRIES = 1;

/** Connects to the service that the options name, or to the one that runs with the data folder. Returns null without either. */
export async function connect({ config, values, env }: ConnectOptions): Promise<Connection | null> {
  const given = values.server as string | undefined;
  const url = given ?? (await findServiceAddress(config.dataFolder));
  if (url === null) return null;
  // The key of the data folder is for the service of the data folder, and must not be sent to another.
  const key =
    (values.key as string | undefined) ??
    readSecretVariable(env, 'ALMANAC_KEY') ??
    (given === undefined ? await readLocalKey(config) : undefined);
  const { Almanac } = await import('../../client/src/index.ts');
  try {
    return { url, hasKey: key !== undefined, almanac: new Almanac({ url, key, maxRetries: MAX_RETRIES }) };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`--${error.message.replace(/^url:/, 'server:')}`);
    throw error;
  }
}

/** Reads the key of the demonstration account, which a service on loopback writes to a private file. */
async function readLocalKey({ dataFolder }: Config): Promise<string | undefined> {
  try {
    return (await readFile(join(dataFolder, 'demo-api-key'), 'utf8')).trim() || undefined;
  } catch {
    return undefined;
  }
}
