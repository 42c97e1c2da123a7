const MAX_SHOWN = 200;

/** Returns the line of a file that a message names (`line 17: …`), shortened; null if it names none. */
export async function findLine(file: Blob, message: string): Promise<string | null> {
  const number = Number(/\bline (\d+): /.exec(message)?.[1] ?? 0);
  if (number === 0) return null;
  try {
    const text = decode(await file.arrayBuffer());
    const line = text.split(/\r\n|\r|\n/)[number - 1] ?? '';
    if (line === '') return null;
    return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line;
  } catch {
    // The file changed or can no longer be read; the message is enough.
    return null;
  }
}

function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
