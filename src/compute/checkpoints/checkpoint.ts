/** The models whose weights are files. The others are part of the engine, and its version is their checkpoint. */
export const CHECKPOINT_MODELS = ['toto'] as const;
export type CheckpointModel = (typeof CHECKPOINT_MODELS)[number];

export const CONFIG_FILE = 'config.json';
export const WEIGHTS_FILE = 'model.safetensors';
export const MANIFEST_FILE = 'manifest.json';

/** The largest weights: what one read of a file can take. */
export const MAX_WEIGHTS_BYTES = 2 ** 31 - 1;
/** Far more than any config or manifest has. */
export const MAX_JSON_BYTES = 64 * 1024;

/** Weights and their config in a folder, as the manifest beside them describes them. */
export interface Checkpoint {
  /** Exact: another content has another id. */
  readonly id: string;
  readonly model: CheckpointModel;
  /** Of the weights. */
  readonly sha256: string;
  readonly configSha256: string;
  /** Where the weights came from. */
  readonly source: string;
  /** Null where nobody said. */
  readonly licence: string | null;
  /** Bytes of the weights. */
  readonly size: number;
  readonly installedAt: string;
  readonly origin: 'installed' | 'bundled';
  readonly folder: string;
}

export interface CheckpointFiles {
  readonly config: Uint8Array;
  readonly weights: Uint8Array;
}

/** Throws when the files do not make a model, whatever their hashes. */
export type CheckFiles = (files: CheckpointFiles) => void;
