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

/** Why a checkpoint cannot be used. The message names the field or the tensor. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: CheckpointErrorCode;

  constructor(code: CheckpointErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const LONGEST_QUOTE = 100;

/** A name from a file for a message: a hostile one may be a megabyte long. */
export function quote(name: string): string {
  return JSON.stringify(name.length > LONGEST_QUOTE ? `${name.slice(0, LONGEST_QUOTE)}…` : name);
}
