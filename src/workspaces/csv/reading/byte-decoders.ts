import { isUtf8 } from 'node:buffer';

/** The error for bytes or characters that a text file cannot contain. The reader, which counts lines, adds the line. */
export class UnreadableBytes extends Error {
  override readonly name = 'UnreadableBytes';
}

/** Receives text as it is decoded. */
export type TakeText = (text: string) => void;

/** Decodes bytes as they arrive. If it throws, it has passed on all text before the invalid bytes. */
export interface ByteDecoder {
  push(bytes: Buffer, take: TakeText): void;
  end(take: TakeText): void;
}

function formatByte(byte: number | undefined): string {
  return `0x${(byte ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Returns the length in bytes of a UTF-8 character that begins with this byte, or 0 if no character does.
 *
 * @example utf8Length(0xe2) // 3, for example for the euro sign
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
      const whole = lengthOfWholeCharacters(all);
      // The rest is copied, because the buffer of a socket is reused.
      rest = Buffer.from(all.subarray(whole));
      decodeUtf8(all.subarray(0, whole), take);
    },
    end(take) {
      if (rest.length > 0) decodeUtf8(rest, take);
    },
  };
}

function decodeUtf8(bytes: Buffer, take: TakeText): void {
  if (isUtf8(bytes)) {
    take(bytes.toString('utf8'));
    return;
  }
  const valid = validUtf8Length(bytes);
  take(bytes.toString('utf8', 0, valid));
  throw new UnreadableBytes(
    `the byte ${formatByte(bytes[valid])} is not UTF-8, unlike the file before it. Save the whole file as UTF-8.`,
  );
}

/** Returns the length of the bytes without an incomplete last character, which the next bytes may complete. */
function lengthOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return utf8Length(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function validUtf8Length(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes[at] as number);
    if (length === 0 || at + length > bytes.length || !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** Line ends, and the characters that result if their bytes are in the other order. */
const LINE_END = /[\n\r\u0a00\u0d00]/;

/** @param isMarked whether a byte order mark states the order. A declared charset can be wrong, so it is checked. */
export function createUtf16Decoder(order: 'le' | 'be', isMarked: boolean): ByteDecoder {
  let rest = Buffer.alloc(0);
  let isCertain = isMarked;
  const checkOrder = (text: string): void => {
    const end = isCertain ? undefined : LINE_END.exec(text)?.[0];
    isCertain ||= end === '\n' || end === '\r';
    if (isCertain || end === undefined) return;
    const [charset, name] = order === 'le' ? ['utf-16be', 'big-endian'] : ['utf-16le', 'little-endian'];
    throw new UnreadableBytes(`the bytes are in the other order (${name}). Send the file with charset=${charset}.`);
  };
  return {
    push(bytes, take) {
      const all = Buffer.concat([rest, bytes]);
      let whole = all.length - (all.length % 2);
      if (whole > 0) {
        const last = order === 'le' ? all.readUInt16LE(whole - 2) : all.readUInt16BE(whole - 2);
        // The second half of the character may be in the next bytes.
        if (isHighSurrogate(last)) whole -= 2;
      }
      rest = Buffer.from(all.subarray(whole));
      const units = all.subarray(0, whole);
      const text = (order === 'le' ? units : units.swap16()).toString('utf16le');
      checkOrder(text);
      decodeUtf16(text, take);
    },
    end() {
      if (rest.length > 0) throw new UnreadableBytes('the last character of the file is incomplete. Save it again.');
    },
  };
}

function decodeUtf16(text: string, take: TakeText): void {
  if (text.isWellFormed()) {
    take(text);
    return;
  }
  const valid = /^[^\uD800-\uDFFF]*(?:[\uD800-\uDBFF][\uDC00-\uDFFF][^\uD800-\uDFFF]*)*/.exec(text)?.[0].length ?? 0;
  take(text.slice(0, valid));
  throw new UnreadableBytes('half a character (a lone surrogate) is not UTF-16. Save the file as UTF-8.');
}

/** The characters of the bytes 0x80 to 0x9F. Other bytes are as in ISO 8859-1. A space stands for an undefined byte. */
const WINDOWS_1252_UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Creates a decoder for windows-1252. Node's own decoder for this label decoded ISO 8859-1 in some versions. */
export function createWindows1252Decoder(): ByteDecoder {
  return {
    push(bytes, take) {
      const text = bytes.toString('latin1');
      const undefinedAt = text.search(/[\x81\x8d\x8f\x90\x9d]/);
      const valid = undefinedAt < 0 ? text : text.slice(0, undefinedAt);
      take(valid.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_UPPER.charAt(char.charCodeAt(0) - 0x80)));
      if (undefinedAt < 0) return;
      throw new UnreadableBytes(
        `the byte ${formatByte(bytes[undefinedAt])} is neither UTF-8 nor windows-1252. Save the file as UTF-8.`,
      );
    },
    end() {},
  };
}
