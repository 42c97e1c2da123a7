import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { BodyLimits } from '../../contract/index.ts';
import { type HeldBody, LARGE_BODY } from './body-memory.ts';
import { bodyTooLarge } from './faults.ts';
import { requirePace } from './limit-arrival.ts';

/** Number of bytes of a refused body that are read and dropped, and how long, before the connection is closed. */
const MAX_DISCARDED = 8 * 1024 ** 2;
const MAX_DISCARD_MS = 2_000;

/**
 * Receives the body of a request. Refuses a declared length above the limit before any byte is read, and stops when the
 * limit, the memory of the process or the time is exceeded.
 *
 * @param held counts the bytes; the caller of this function releases them
 */
export function receiveBody(
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
  payload: Readable,
  limits: BodyLimits,
  held: HeldBody,
): Promise<Buffer> {
  const tooLarge = () => bodyTooLarge(limits.bytes, limits.rows !== undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (): void => {
      payload.off('data', take).off('end', end).off('error', fail);
    };
    const fail = (error: unknown): void => {
      settle();
      chunks.length = 0;
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      const isLarge = bytes > LARGE_BODY;
      bytes += chunk.length;
      try {
        if (bytes > limits.bytes) throw tooLarge();
        held.add(chunk.length);
        chunks.push(chunk);
        if (!isLarge && bytes > LARGE_BODY) requirePace(raw, fail);
      } catch (error) {
        fail(error);
      }
    };
    const end = (): void => {
      settle();
      // Copied, because the chunks can be parts of buffers that are used again.
      resolve(Buffer.concat(chunks, bytes));
    };
    if (Number(headers['content-length'] ?? 0) > limits.bytes) fail(tooLarge());
    else payload.on('data', take).on('end', end).on('error', fail);
  });
}

/** Drops the rest of a refused body. A body that does not end soon is cut off: its sender may never read a response. */
export function discardBody(payload: Readable): void {
  discardRest(payload, MAX_DISCARDED);
  const timer = setTimeout(() => payload.destroy(), MAX_DISCARD_MS).unref();
  payload.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

/**
 * Reads and drops the rest of a refused body or file, because most clients read the response only after they have sent
 * everything. The connection is closed if the rest exceeds the limit.
 */
export function discardRest(payload: Readable, limit: number): void {
  let left = limit;
  payload.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) payload.destroy();
  });
  // The connection can break while the rest arrives.
  payload.on('error', () => undefined);
  payload.resume();
}
