import { open } from 'node:fs/promises';
import type { ReadStream } from 'node:tty';
import { type BackupKey, KEY_FILE_BYTES, readSecretVariable } from '../../platform/index.ts';
import { type CommandOptions, type CommandValues, type Terminal, UsageError } from '../command.ts';
import { interrupted } from '../failures.ts';

/** The options that name the key of a backup. There is none for the passphrase itself: other users see command lines. */
export const KEY_OPTIONS = {
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    help: 'a file whose first line is the passphrase',
    default: 'ALMANAC_BACKUP_PASSPHRASE, or a question on a terminal',
  },
  'key-file': {
    type: 'string',
    value: 'FILE',
    help: `a file of ${KEY_FILE_BYTES} random bytes, instead of a passphrase`,
  },
} as const satisfies CommandOptions;

const VARIABLE = 'ALMANAC_BACKUP_PASSPHRASE';
const MIN_LENGTH = 12;

/** Reads the key of a backup. @param isNew whether a backup is made, for which a passphrase must be long enough */
export async function readBackupKey(
  values: CommandValues,
  terminal: Terminal,
  { isNew }: { readonly isNew: boolean },
): Promise<BackupKey> {
  const keyFile = values['key-file'] as string | undefined;
  const passphraseFile = values['passphrase-file'] as string | undefined;
  if (keyFile !== undefined && passphraseFile !== undefined)
    throw new UsageError('Give --passphrase-file or --key-file, not both.');
  if (keyFile !== undefined) return readKeyFile(keyFile, isNew);
  const passphrase =
    passphraseFile === undefined
      ? (readSecretVariable(terminal.env, VARIABLE) ?? (await askPassphrase(terminal, isNew)))
      : firstLine((await readSecret('--passphrase-file', passphraseFile)).toString('utf8'));
  if (passphrase === '') throw new UsageError('The passphrase is empty.');
  if (isNew && [...passphrase].length < MIN_LENGTH)
    throw new UsageError(`The passphrase must have at least ${MIN_LENGTH} characters.`);
  return { kind: 'passphrase', passphrase };
}

async function readKeyFile(path: string, isNew: boolean): Promise<BackupKey> {
  const bytes = await readSecret('--key-file', path);
  if (bytes.length === KEY_FILE_BYTES) return { kind: 'file', bytes };
  const remedy = isNew
    ? `Create another file with: openssl rand -out backup.key ${KEY_FILE_BYTES}`
    : 'Give the file with which the backup was made.';
  throw new UsageError(`--key-file: ${path} has ${bytes.length} bytes instead of ${KEY_FILE_BYTES}. ${remedy}`);
}

/** Far more than a key or a passphrase has. A device could be read without end. */
const MAX_BYTES = 4096;

async function readSecret(option: string, path: string): Promise<Buffer> {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  try {
    await using file = await open(path);
    for (let added = -1; added !== 0 && length < bytes.length; length += added) {
      ({ bytesRead: added } = await file.read(bytes, length, bytes.length - length));
    }
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read: ${(error as Error).message}.`);
  }
  if (length > MAX_BYTES) throw new UsageError(`${option}: ${path} has more than ${MAX_BYTES} bytes.`);
  return bytes.subarray(0, length);
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function askPassphrase({ stdin, stderr }: Terminal, isNew: boolean): Promise<string> {
  if (stdin.isTTY !== true) {
    throw new UsageError(`A backup is encrypted. Set ${VARIABLE}, or give --passphrase-file FILE or --key-file FILE.`);
  }
  const ask = (question: string) => askHidden(stdin as unknown as ReadStream, stderr, question);
  const passphrase = await ask('Passphrase of the backup: ');
  if (isNew && (await ask('The same again: ')) !== passphrase) throw new UsageError('The two passphrases differ.');
  return passphrase;
}

/** Reads a line from a terminal that does not show it. */
function askHidden(stdin: ReadStream, stderr: Terminal['stderr'], question: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  const end = () => {
    stdin.off('data', onData).setRawMode(false).pause();
    stderr.write('\n');
  };
  const onData = (text: string) => {
    for (const character of text) {
      if (character === '\r' || character === '\n') {
        end();
        return resolve(typed);
      }
      if (character === '\u0003') {
        end();
        return reject(interrupted());
      }
      if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('');
      else typed += character;
    }
  };
  stdin.on('data', onData).resume();
  return promise;
}
