import { CheckpointError } from '../checkpoint-error.ts';

/** What a pull throws, as whoever ran it should read it. Faults of ours stay as they are. */
export function explainFailure(error: unknown, folder: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof CheckpointError) return error;
  if (signal?.aborted) {
    return new CheckpointError('STOPPED', 'Stopped. The same command goes on with what has come.', { cause: error });
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const remedy = 'Make room and run the same command: it goes on with what has come';
    return new CheckpointError('CANNOT_WRITE', `The disk of ${folder} is full. ${remedy}.`, { cause: error });
  }
  if (syscall === undefined) return error;
  return new CheckpointError('CANNOT_WRITE', `${folder} cannot be written: ${message}.`, { cause: error });
}
