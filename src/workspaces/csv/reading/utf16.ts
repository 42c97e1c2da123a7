import { type ByteDecoder, type TakeText, UnreadableBytes } from './unreadable-bytes.ts';

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** Ends of lines, and what they become in the other order of bytes. */
const LINE_END = /[\n\r\u0a00\u0d00]/;

/** @param isMarked whether a byte order mark has said so; a charset can be wrong, and then no line ever ends */
export function createUtf16Decoder(order: 'le' | 'be', isMarked: boolean): ByteDecoder {
  let rest = Buffer.alloc(0);
  let isSure = isMarked;
  const checkOrder = (text: string): void => {
    const end = isSure ? undefined : LINE_END.exec(text)?.[0];
    isSure ||= end === '\n' || end === '\r';
    if (isSure || end === undefined) return;
    const [is, other] = order === 'le' ? ['utf-16be', 'big-endian'] : ['utf-16le', 'little-endian'];
    throw new UnreadableBytes(`the bytes are in the other order (${other}). Send the file with charset=${is}.`);
  };
  return {
    push(bytes, take) {
      const all = Buffer.concat([rest, bytes]);
      let whole = all.length - (all.length % 2);
      if (whole > 0) {
        const last = order === 'le' ? all.readUInt16LE(whole - 2) : all.readUInt16BE(whole - 2);
        // The second half of the character may come with the next bytes.
        if (isHighSurrogate(last)) whole -= 2;
      }
      rest = Buffer.from(all.subarray(whole));
      const units = all.subarray(0, whole);
      const text = (order === 'le' ? units : units.swap16()).toString('utf16le');
      checkOrder(text);
      decode(text, take);
    },
    end() {
      if (rest.length > 0) throw new UnreadableBytes('the last character of the file is cut off. Save it again.');
    },
  };
}

function decode(text: string, take: TakeText): void {
  if (text.isWellFormed()) {
    take(text);
    return;
  }
  const valid = /^[^\uD800-\uDFFF]*(?:[\uD800-\uDBFF][\uDC00-\uDFFF][^\uD800-\uDFFF]*)*/.exec(text)?.[0].length ?? 0;
  take(text.slice(0, valid));
  throw new UnreadableBytes('half a character (a lone surrogate) is not UTF-16. Save the file as UTF-8.');
}
