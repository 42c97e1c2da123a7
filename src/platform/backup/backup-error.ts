/** A backup cannot be made, read or restored. The message names the reason and the remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** @param at the number of bytes of the file that were read */
export function fileDamaged(path: string, at: number): BackupError {
  return new BackupError(
    `${path} is damaged: its bytes before ${at} are not those that were written. Nothing was changed. Use another backup.`,
  );
}

export function fileTruncated(path: string, bytes: number): BackupError {
  return new BackupError(
    `${path} is incomplete: it ends after ${bytes} bytes. Nothing was changed. Copy the file again, or use another backup.`,
  );
}

export function notBackup(path: string): BackupError {
  return new BackupError(`${path} is not a backup of Almanac, or is one of a newer format. Check the path.`);
}

/** @param kind the kind of key with which the file was encrypted */
export function wrongKey(path: string, kind: 'passphrase' | 'file'): BackupError {
  const key = kind === 'passphrase' ? 'passphrase' : 'key file';
  return new BackupError(`The ${key} is not the one with which ${path} was encrypted. Nothing was changed.`);
}

/** @param kind the kind of key with which the file was encrypted */
export function otherKeyKind(path: string, kind: 'passphrase' | 'file'): BackupError {
  const remedy =
    kind === 'passphrase'
      ? 'a passphrase. Set ALMANAC_BACKUP_PASSPHRASE or give --passphrase-file'
      : 'a key file. Give --key-file';
  return new BackupError(`${path} was encrypted with ${remedy}.`);
}
