/** Every way in which a checkpoint can be refused. */
export const CHECKPOINT_FAULTS = {
  CHECKPOINT_UNAVAILABLE: 'it is not here, or its files cannot be read',
  CHECKPOINT_CORRUPT: 'its files are not what its manifest says',
  INVALID_SOURCE: 'the address, hash or name to pull by cannot be used',
  CONFIG_REFUSED: 'its config.json is no config, or not that of the release',
  HASH_MISMATCH: 'the bytes that came have another hash',
  TOO_LARGE: 'a file is larger than allowed',
  DOWNLOAD_REFUSED: 'the server said no, or led somewhere we do not go',
  DOWNLOAD_FAILED: 'the line or the server failed, and again when tried again',
  CANNOT_WRITE: 'the data folder cannot be written',
  STOPPED: 'whoever asked for it gave up',
} as const;
export type CheckpointFault = keyof typeof CHECKPOINT_FAULTS;

/** A checkpoint cannot be used or had. The message is one line for whoever runs the command. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: CheckpointFault;

  constructor(code: CheckpointFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
