import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Bytes that are written once: the first reader gets them as they come, every later one gets what was kept. */
export interface Rendering {
  /** So far. */
  readonly bytes: number;
  /** Writing broke off: it will never be whole. */
  readonly hasFailed: boolean;
  /** Everything in one piece, once it has all been written. */
  whole(): Buffer | null;
  chunks(): AsyncIterable<Buffer>;
}

/** @param parts is run through once, a part at a time, so that nobody else waits for a large table. */
export function createRendering(parts: Iterator<Buffer>): Rendering {
  let kept: Buffer[] = [];
  let bytes = 0;
  let isComplete = false;
  let failure: { readonly cause: unknown } | null = null;
  let step: Promise<void> | null = null;

  const advance = async (): Promise<void> => {
    await yieldToOthers();
    try {
      const { value, done } = parts.next();
      if (done) isComplete = true;
      else {
        bytes += value.length;
        kept.push(value);
      }
    } catch (cause) {
      // An iterator that has thrown says it is done when it is asked again.
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
    whole() {
      if (!isComplete || failure !== null) return null;
      // A new list: readers on their way go on with the old one.
      if (kept.length !== 1) kept = [Buffer.concat(kept)];
      return kept[0] as Buffer;
    },
    async *chunks() {
      const list = kept;
      for (let at = 0; ; at++) {
        // Two readers at once share each step instead of taking turns at the iterator.
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
