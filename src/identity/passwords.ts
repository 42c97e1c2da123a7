import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { isStorableText } from '../contract/index.ts';
import { invalidPasswordLength, passwordNotStorable, passwordTooSimple } from './faults.ts';

const derive = promisify(argon2);

/** The minimum cost that OWASP recommends for argon2id: 19 MiB of memory, two passes and one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_LENGTH = 32;

export const PASSWORD_LENGTH = { min: 10, max: 1024 } as const;

/** Checks that a new password follows the rules. @param field the name of the password in the request */
export function checkNewPassword(password: string, field = 'password'): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max) throw invalidPasswordLength(field, PASSWORD_LENGTH);
  // Sign-in rejects such text, as all text fields do, so the account could not be used.
  if (!isStorableText(password)) throw passwordNotStorable(field);
  if (password.trim() === '' || isOneCharacter(password)) throw passwordTooSimple(field);
}

function isOneCharacter(password: string): boolean {
  return new Set(password.normalize('NFC')).size === 1;
}

/**
 * Hashes a password. The result is a PHC string. It contains the salt and the cost, so that the cost can be raised
 * later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(password, salt, COST);
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns whether a password matches a hash, which contains the cost of the check. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = PHC.exec(hash);
  if (!parts) throw new Error('A stored password hash is not a PHC string of argon2id.');
  const [, memory, passes, parallelism, salt = '', expected = ''] = parts;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const tag = await deriveTag(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(tag, Buffer.from(expected, 'base64'));
}

/** Returns whether a password matches a hash. Without a hash it returns false, after the same amount of work. */
export async function isCorrectPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  if (hash) return verifyPassword(password, hash);
  await pretendToVerify(password);
  return false;
}

/** Returns whether two texts are the same password, regardless of their Unicode normalization. */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC');
}

const DECOY_SALT = randomBytes(16);

/** Takes as long as a real check, so that response times do not reveal which addresses have an account. */
export async function pretendToVerify(password: string): Promise<void> {
  await deriveTag(password, DECOY_SALT, COST);
}

function deriveTag(password: string, nonce: Buffer, cost: { memory: number; passes: number; parallelism: number }) {
  // Depending on the keyboard, the same visible password can be composed or decomposed Unicode.
  const message = Buffer.from(password.normalize('NFC'));
  return derive('argon2id', { message, nonce, tagLength: TAG_LENGTH, ...cost });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
