import type { FastifyRequest } from 'fastify';
import type { WorkMeter } from '../../platform/index.ts';

/** A refused request counts one more token for each of these. */
const ROWS_PER_TOKEN = 10_000;
const BYTES_PER_TOKEN = 256 * 1024;

/** What a request has cost so far. */
export interface RequestWork extends WorkMeter {
  /** Number of bytes that the connection had received when the request was admitted. */
  readonly bytesBefore: number;
}

export function startRequestWork(request: FastifyRequest): RequestWork {
  return { rows: 0, bytesBefore: bytesReceived(request) };
}

/**
 * Returns the tokens that a refused request counts in addition to its weight: for the rows of files that it read or
 * stored, and for the bytes of its body. A completed request is not charged for them.
 */
export function countWorkTokens(work: RequestWork, request: FastifyRequest): number {
  const bytes = Math.max(0, bytesReceived(request) - work.bytesBefore);
  return Math.floor(work.rows / ROWS_PER_TOKEN) + Math.floor(bytes / BYTES_PER_TOKEN);
}

/** The whole connection is counted, because a body of unknown length declares none. */
function bytesReceived({ raw }: FastifyRequest): number {
  return raw.socket?.bytesRead ?? 0;
}
