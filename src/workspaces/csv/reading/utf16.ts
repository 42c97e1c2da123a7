import { type ByteDecoder, type TakeText, UnreadableBytes } from './unreadable-bytes.ts';

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

export function createUtf16Decoder(order: 'le' | 'be'): ByteDecoder {
  let rest = Buffer.alloc(0);
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
      decode((order === 'le' ? units : units.swap16()).toString('utf16le'), take);
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
