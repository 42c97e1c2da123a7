import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that a client may keep, and ask about before it reads it again. */
export class Versioned<Data extends object> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }

  /** Tells the client its version. @returns the body, or null when the client has this one already (304). */
  answer(request: FastifyRequest, reply: FastifyReply, wrap: (data: unknown) => unknown): unknown {
    const body = wrap(this.data);
    const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
    // Kept by its reader only, and never used without asking: a forecast can be deleted.
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (!isKnown(request.headers['if-none-match'], etag)) return body;
    reply.code(304);
    return null;
  }
}

/** Weak or strong makes no difference here, and a proxy may have weakened it. */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}
