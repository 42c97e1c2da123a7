/** Bytes or characters that no text has. Whoever counts lines says where they are. */
export class UnreadableBytes extends Error {
  override readonly name = 'UnreadableBytes';
}

/** Gets text as it is decoded. */
export type TakeText = (text: string) => void;

/** Turns bytes into text as they come. What can be read goes out before an error is thrown. */
export interface ByteDecoder {
  push(bytes: Buffer, take: TakeText): void;
  end(take: TakeText): void;
}

export function sayByte(byte: number | undefined): string {
  return `0x${(byte ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
