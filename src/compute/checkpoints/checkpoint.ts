import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '../../contract/index.ts';

/** The models whose weights are files. The other models are part of the engine, and its version is their checkpoint. */
export const CHECKPOINT_MODELS = ['toto'] as const;
export type CheckpointModel = (typeof CHECKPOINT_MODELS)[number];

export const CONFIG_FILE = 'config.json';
export const WEIGHTS_FILE = 'model.safetensors';
export const MANIFEST_FILE = 'manifest.json';

/** The size limit of weights: the limit of one read. */
export const MAX_WEIGHTS_BYTES = 2 ** 31 - 1;
/** Far above the size of any config or manifest. */
export const MAX_JSON_BYTES = 64 * 1024;

/** A folder with weights and their config, as its manifest describes them. */
export interface Checkpoint {
  /** Determined by the content: other weights or another config have another id. */
  readonly id: string;
  readonly model: CheckpointModel;
  /** The hash of the weights. */
  readonly sha256: string;
  readonly configSha256: string;
  /** The URL of the weights. */
  readonly source: string;
  /** Null if it is not stated. */
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

/** Checks that the files make a model. Throws if they do not, also if their hashes are right. */
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

/** A checkpoint cannot be used or pulled. The message is one line for the person who runs the command. */
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

/** Checks that a name can be part of an id, and so of the name of a folder. */
export function isCheckpointName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Returns the id of a checkpoint: its name, the first 12 digits of the weights' sha256 and the first 8 of the config's.
 * The config is part of the id because fields such as `norm_eps` change the forecast without changing a tensor; its
 * values count, not their spelling.
 *
 * @example checkpointId('toto-2.0-4m', sha256, config) // 'toto-2.0-4m@316660d5afb4-0f1f6a5b'
 */
export function checkpointId(name: string, sha256: string, config: Readonly<Record<string, unknown>>): string {
  return `${name}@${sha256.slice(0, 12)}-${createHash('sha256').update(canonicalJson(config)).digest('hex').slice(0, 8)}`;
}

/** Splits an id into its parts. Returns null for any other text. */
export function splitCheckpointId(id: string): { name: string; weights: string; config: string } | null {
  const { name = '', weights = '', config = '' } = ID.exec(id)?.groups ?? {};
  return name === '' ? null : { name, weights, config };
}

/** The folders that hold checkpoints, each in a folder named by its id. */
export interface CheckpointFolders {
  /** Below the data folder. It need not exist. */
  readonly installed: string;
  /** Part of the service and never written to. It need not exist. */
  readonly bundled: string;
}

const BUNDLED = join(import.meta.dirname, '../../../checkpoints');

/** @example const checkpoints = await listCheckpoints(checkpointFolders(config.dataFolder)); */
export function checkpointFolders(dataFolder: string): CheckpointFolders {
  return { installed: join(dataFolder, 'checkpoints'), bundled: BUNDLED };
}
