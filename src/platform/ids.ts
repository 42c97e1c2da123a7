import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The prefix of an id, which shows the kind of object that it identifies. */
export type IdPrefix =
  | 'usr'
  | 'key'
  | 'ses'
  | 'gst'
  | 'ws'
  | 'col'
  | 'inv'
  | 'csv'
  | 'snap'
  | 'ef'
  | 'evt'
  | 'lnk'
  | 'sev'
  | 'app'
  | 'oid'
  | 'alt'
  | 'mail'
  | 'feed'
  | 'oev'
  | 'stx'
  | 'whk'
  | 'dlv';

/**
 * Returns a new id, which consists of a prefix and a ULID. Ids sort by the millisecond in which they were created,
 * which keeps indexes compact.
 *
 * @example newId('usr') // usr_01K9ZK3Y6M2Q8V7N5T4R3E2W1A
 */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  return `${prefix}_${timePart(now)}${randomPart()}`;
}

function timePart(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let digit = 0; digit < 10; digit++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(): string {
  // The low five bits of a random byte are uniformly distributed, because 256 is a multiple of 32.
  return Array.from(randomBytes(16), (byte) => CROCKFORD.charAt(byte & 31)).join('');
}
