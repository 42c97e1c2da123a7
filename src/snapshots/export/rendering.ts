import { setImmediate as yieldToOtherWork } from 'node:timers/promises';

/**
 * Bytes that are rendered once. The first reader gets them while they are rendered; later readers get the stored bytes.
 */
export interface Rendering {
  /** The number of bytes rendered so far. */
  readonly bytes: number;
  /** Whether rendering has failed, so that the bytes will never be complete. */
  readonly hasFailed: boolean;
  /** Returns all bytes in one buffer; null if rendering has not completed. */
  complete(): Buffer | null;
  chunks(): AsyncIterable<Buffer>;
}

/** @param parts is iterated once. Other work can run after each part, so that a large table does not block requests. */
export function createRendering(parts: Iterator<Buffer>): Rendering {
  let kept: Buffer[] = [];
  let bytes = 0;
  let isComplete = false;
  let failure: { readonly cause: unknown } | null = null;
  let step: Promise<void> | null = null;

  const advance = async (): Promise<void> => {
    await yieldToOtherWork();
    try {
      const { value, done } = parts.next();
      if (done) isComplete = true;
      else {
        bytes += value.length;
        kept.push(value);
      }
    } catch (cause) {
      // Remembered, because an iterator that has thrown reports `done` on the next call.
      failure = { cause };
    }
  };

  return {
    get bytes() {
      return bytes;
    },
    get hasFailed() {
      return failure !== null;
    },
    complete() {
      if (!isComplete || failure !== null) return null;
      // A new list, because readers in progress continue with the old one.
      if (kept.length !== 1) kept = [Buffer.concat(kept)];
      return kept[0] as Buffer;
    },
    async *chunks() {
      const list = kept;
      for (let at = 0; ; at++) {
        // Concurrent readers share each step of the iterator.
        while (at >= list.length && !isComplete && failure === null) {
          step ??= advance().finally(() => {
            step = null;
          });
          await step;
        }
        const chunk = list[at];
        if (chunk === undefined && failure !== null) throw failure.cause;
        if (chunk === undefined) return;
        yield chunk;
      }
    },
  };
}
