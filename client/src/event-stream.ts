/** One server-sent event, or an instruction of the stream. */
export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** No event of the service is nearly so long. */
const MAX_EVENT_LENGTH = 1024 ** 2;

/**
 * Yields the complete events of a stream, as the standard describes them. An event that was cut off is left out.
 *
 * @param onActivity called whenever something arrives, including comments that only keep the connection open
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<Frame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  let lines: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onActivity();
      pending += decoder.decode(value, { stream: true });
      // A line can end with \r\n whose second character has not arrived yet.
      const parts = pending.split(/\r\n|\n|\r(?!$)/);
      pending = parts.pop() ?? '';
      for (const line of parts) {
        // A comment only keeps the connection open.
        if (line.startsWith(':')) continue;
        if (line !== '') {
          lines.push(line);
          length += line.length;
          continue;
        }
        const frame = parseFrame(lines);
        lines = [];
        length = 0;
        if (frame !== null) yield frame;
      }
      if (length + pending.length > MAX_EVENT_LENGTH) throw new Error('An event of the stream is too long.');
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseFrame(lines: readonly string[]): Frame | null {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
