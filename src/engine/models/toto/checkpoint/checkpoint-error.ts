export type CheckpointErrorCode =
  | 'CONFIG_INVALID'
  | 'CONFIG_UNSUPPORTED'
  | 'HEADER_INVALID'
  | 'OFFSETS_INVALID'
  | 'DTYPE_UNSUPPORTED'
  | 'TENSOR_DUPLICATE'
  | 'TENSOR_MISSING'
  | 'TENSOR_SURPLUS'
  | 'TENSOR_MISSHAPED'
  | 'TENSOR_NOT_FINITE'
  | 'TENSOR_OUT_OF_RANGE'
  | 'TOO_LARGE';

/** The reason why a checkpoint cannot be used. The message names the field or the tensor. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: CheckpointErrorCode;

  constructor(code: CheckpointErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_QUOTED_CHARACTERS = 100;

/** Quotes a name from a file for a message. Shortens it, because a malicious name may be a megabyte long. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED_CHARACTERS ? `${name.slice(0, MAX_QUOTED_CHARACTERS)}…` : name);
}
