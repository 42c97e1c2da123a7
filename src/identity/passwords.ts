import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault, isStorableText } from '../contract/index.ts';

const derive = promisify(argon2);

/** OWASP's recommended floor for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_LENGTH = 32;

export const PASSWORD_LENGTH = { min: 10, max: 1024 } as const;

export function checkNewPassword(password: string, field = 'password'): void {
  if (password.length < PASSWORD_LENGTH.min || password.length > PASSWORD_LENGTH.max) {
    throw new Fault(
      'INVALID_REQUEST',
      `${field}: must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`,
    );
  }
  // Sign-in refuses such text, as every other field does: nobody could use the account.
  if (!isStorableText(password)) {
    throw new Fault('INVALID_REQUEST', `${field}: must not contain NUL or lone surrogate characters.`);
  }
  if (password.trim() === '' || isOneCharacter(password)) {
    throw new Fault('INVALID_REQUEST', `${field}: must be more than blanks or one character again and again.`);
  }
}

function isOneCharacter(password: string): boolean {
  return new Set(password.normalize('NFC')).size === 1;
}

/** The hash in PHC form, which carries its own salt and cost, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(password, salt, COST);
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = PHC.exec(hash);
  if (!parts) throw new Error('A stored password hash is not in the expected form.');
  const [, memory, passes, parallelism, salt = '', expected = ''] = parts;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const tag = await deriveTag(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(tag, Buffer.from(expected, 'base64'));
}

/** The same for an account that may have no password, or not be there: nothing is right then, and it takes as long. */
export async function isRightPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  if (hash) return verifyPassword(password, hash);
  await pretendToVerify(password);
  return false;
}

/** Whether two are one password, however they were typed. */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC');
}

const DECOY_SALT = randomBytes(16);

/** Spends the time of a real check, so that an unknown address cannot be told from a wrong password by the clock. */
export async function pretendToVerify(password: string): Promise<void> {
  await deriveTag(password, DECOY_SALT, COST);
}

function deriveTag(password: string, nonce: Buffer, cost: { memory: number; passes: number; parallelism: number }) {
  // The same visible password can arrive composed or decomposed, depending on the keyboard.
  const message = Buffer.from(password.normalize('NFC'));
  return derive('argon2id', { message, nonce, tagLength: TAG_LENGTH, ...cost });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
