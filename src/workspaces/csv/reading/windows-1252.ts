import { type ByteDecoder, sayByte, UnreadableBytes } from './unreadable-bytes.ts';

/** What the bytes 0x80 to 0x9F are; the others are as in ISO 8859-1. Spaces stand for those that are nothing. */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Written out, because the encoding label of the platform has meant ISO 8859-1 in some of its versions. */
export function createWindows1252Decoder(): ByteDecoder {
  return {
    push(bytes, take) {
      const text = bytes.toString('latin1');
      const nothing = text.search(/[\x81\x8d\x8f\x90\x9d]/);
      const valid = nothing < 0 ? text : text.slice(0, nothing);
      take(valid.replace(/[\x80-\x9f]/g, (char) => UPPER.charAt(char.charCodeAt(0) - 0x80)));
      if (nothing < 0) return;
      throw new UnreadableBytes(
        `the byte ${sayByte(bytes[nothing])} is neither UTF-8 nor windows-1252. Save the file as UTF-8.`,
      );
    },
    end() {},
  };
}
