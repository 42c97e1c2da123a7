import { isUtf8 } from 'node:buffer';
import { type ByteDecoder, sayByte, type TakeText, UnreadableBytes } from './unreadable-bytes.ts';

/**
 * How many bytes the character takes that begins with this one; 0: none begins with it.
 *
 * @example utf8Length(0xe2) // 3, as of the euro sign
 */
export function utf8Length(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

export function createUtf8Decoder(): ByteDecoder {
  let rest = Buffer.alloc(0);
  return {
    push(bytes, take) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const whole = wholeCharacters(all);
      // A copy: the buffer of a socket is used again.
      rest = Buffer.from(all.subarray(whole));
      decode(all.subarray(0, whole), take);
    },
    end(take) {
      if (rest.length > 0) decode(rest, take);
    },
  };
}

function decode(bytes: Buffer, take: TakeText): void {
  if (isUtf8(bytes)) {
    take(bytes.toString('utf8'));
    return;
  }
  const valid = validLength(bytes);
  take(bytes.toString('utf8', 0, valid));
  throw new UnreadableBytes(
    `the byte ${sayByte(bytes[valid])} is not UTF-8, which the file is otherwise. Save the whole file as UTF-8.`,
  );
}

/** Bytes up to a character that may be continued by the next ones. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return utf8Length(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function validLength(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes[at] as number);
    if (length === 0 || at + length > bytes.length || !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}
