import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export interface JsonArrayOptions {
  /** The bytes after which the elements read so far are returned, and other work may run. */
  readonly batchBytes?: number;
  /** The largest element. It is parsed without a pause. */
  readonly maxElementBytes?: number;
}

const BATCH_BYTES = 64 * 1024;
const MAX_ELEMENT_BYTES = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/**
 * Parses a JSON array in steps, and lets other work run between them: `JSON.parse` of 20 MiB would hold the event loop
 * for a fifth of a second. Throws a `SyntaxError` if the bytes are not a JSON array in UTF-8 or an element is too large;
 * batches that were returned before are then part of an invalid document.
 *
 * @example for await (const batch of parseJsonArray(bytes)) for (const asset of batch) store(asset);
 */
export async function* parseJsonArray(
  bytes: Buffer,
  { batchBytes = BATCH_BYTES, maxElementBytes = MAX_ELEMENT_BYTES }: JsonArrayOptions = {},
): AsyncGenerator<unknown[]> {
  const array = boundsOf(bytes);
  let from = array.from;
  while (from < array.to) {
    const to = endOfBatch(bytes, { from, to: array.to }, batchBytes, maxElementBytes);
    const batch = parseElements(bytes.subarray(from, to));
    const isLast = to === array.to;
    // A comma must be followed by another element.
    if (batch.length === 0 && !(isLast && from === array.from)) throw invalid();
    if (!isLast && to + 1 === array.to) throw invalid();
    if (batch.length > 0) yield batch;
    from = to + 1;
    await yieldToEventLoop();
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the bytes between the brackets. */
function boundsOf(bytes: Buffer): Range {
  let [from, to] = [0, bytes.length];
  while (from < to && isSpace(bytes[from])) from += 1;
  while (to > from && isSpace(bytes[to - 1])) to -= 1;
  if (to - from < 2 || bytes[from] !== OPEN_ARRAY || bytes[to - 1] !== CLOSE_ARRAY) throw invalid();
  return { from: from + 1, to: to - 1 };
}

/** Returns the position of the comma after the last element of a batch, or the end of the array. */
function endOfBatch(bytes: Buffer, { from, to }: Range, batchBytes: number, maxElementBytes: number): number {
  let depth = 0;
  let elementFrom = from;
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i, to);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth < 0) throw invalid();
    } else if (byte === COMMA && depth === 0) {
      if (i - from >= batchBytes) return i;
      elementFrom = i + 1;
    }
    if (i - elementFrom > maxElementBytes) throw new SyntaxError('An element of the JSON array is too large.');
  }
  if (depth !== 0) throw invalid();
  return to;
}

/** Returns the position of the quote that ends a string. */
function endOfString(bytes: Buffer, start: number, to: number): number {
  for (
    let quote = bytes.indexOf(QUOTE, start + 1);
    quote !== -1 && quote < to;
    quote = bytes.indexOf(QUOTE, quote + 1)
  ) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  throw invalid();
}

function parseElements(bytes: Buffer): unknown[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid();
  }
  try {
    return JSON.parse(`[${text}]`) as unknown[];
  } catch {
    // The message of JSON.parse quotes the text.
    throw invalid();
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function invalid(): SyntaxError {
  return new SyntaxError('The bytes are not a JSON array.');
}
