import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '../../contract/canonical-json.ts';

/**
 * The models whose weights are files. The other models are part of the engine, and the version of the engine is their
 * checkpoint.
 */
export const CHECKPOINT_MODELS = ['toto'] as const;
export type CheckpointModel = (typeof CHECKPOINT_MODELS)[number];

export const CONFIG_FILE = 'config.json';
export const WEIGHTS_FILE = 'model.safetensors';
export const MANIFEST_FILE = 'manifest.json';

/** The largest size of a weights file, which is the most that one read returns. */
export const MAX_WEIGHTS_BYTES = 2 ** 31 - 1;
/** The largest size of a config or manifest. Real ones are far smaller. */
export const MAX_JSON_BYTES = 64 * 1024;

/** The description of an installed or bundled checkpoint, read from the manifest in its folder. */
export interface Checkpoint {
  /** Determined by the content: different weights or a different config have a different id. */
  readonly id: string;
  readonly model: CheckpointModel;
  /** The hash of the weights. */
  readonly sha256: string;
  readonly configSha256: string;
  /** The URL of the weights. */
  readonly source: string;
  /** Null if the manifest does not state one. */
  readonly license: string | null;
  /** The size of the weights in bytes. */
  readonly size: number;
  readonly installedAt: string;
  readonly origin: 'installed' | 'bundled';
  readonly folder: string;
}

export interface CheckpointFiles {
  readonly config: Uint8Array;
  readonly weights: Uint8Array;
}

/**
 * Checks that the files form a model, and throws if they do not. Files with the right hashes can still fail this check.
 */
export type CheckFiles = (files: CheckpointFiles) => void;

/** Every reason for refusing a checkpoint. The first four are part of stored results and keep their wording. */
export const CHECKPOINT_FAULTS = {
  CHECKPOINT_UNAVAILABLE: 'it is not here, or its files cannot be read',
  CHECKPOINT_CORRUPT: 'its files are not what its manifest says',
  CONFIG_REFUSED: 'its config.json is no config, or not that of the release',
  TOO_LARGE: 'a file is larger than allowed',
  INVALID_SOURCE: 'the address, hash or name of the pull cannot be used',
  HASH_MISMATCH: 'the downloaded bytes have another hash',
  DOWNLOAD_REFUSED: 'the server refused the request or redirected to an address that is not allowed',
  DOWNLOAD_FAILED: 'the connection or the server failed, also after retries',
  CANNOT_WRITE: 'the data folder cannot be written',
  STOPPED: 'the pull was stopped',
} as const;
export type CheckpointFault = keyof typeof CHECKPOINT_FAULTS;

/** The reason why a checkpoint cannot be used or pulled. The message is one line for the operator. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: CheckpointFault;

  constructor(code: CheckpointFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const ID = /^(?<name>[a-z0-9][a-z0-9._-]{0,63})@(?<weights>[0-9a-f]{12})-(?<config>[0-9a-f]{8})$/;

/** Returns whether a name can be part of an id, and therefore of the name of a folder. */
export function isCheckpointName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Returns the id of a checkpoint: its name, the first 12 digits of the weights' sha256 and the first 8 of the config's.
 * The config is part of the id because fields such as `norm_eps` change the forecast without changing a tensor; the
 * hash covers its values, not its formatting.
 *
 * @example checkpointId('toto-2.0-4m', sha256, config) // 'toto-2.0-4m@316660d5afb4-0f1f6a5b'
 */
export function checkpointId(name: string, sha256: string, config: Readonly<Record<string, unknown>>): string {
  return `${name}@${sha256.slice(0, 12)}-${createHash('sha256').update(canonicalJson(config)).digest('hex').slice(0, 8)}`;
}

/** Splits an id into its parts. Returns null if the text is not an id. */
export function splitCheckpointId(id: string): { name: string; weights: string; config: string } | null {
  const { name = '', weights = '', config = '' } = ID.exec(id)?.groups ?? {};
  return name === '' ? null : { name, weights, config };
}

/** The two folders that hold checkpoints. Each checkpoint is a subfolder named by its id. */
export interface CheckpointFolders {
  /** The folder inside the data folder. It need not exist. */
  readonly installed: string;
  /** The folder that is shipped with the service and is not written to. It need not exist. */
  readonly bundled: string;
}

const BUNDLED = join(import.meta.dirname, '../../../checkpoints');

/** @example const checkpoints = await listCheckpoints(checkpointFolders(config.dataFolder)); */
export function checkpointFolders(dataFolder: string): CheckpointFolders {
  return { installed: join(dataFolder, 'checkpoints'), bundled: BUNDLED };
}
