import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, type Operation } from '../../contract/index.ts';
import { type DeclaredFile, declaredBy } from './declared-csv.ts';
import { allowUpload } from './limit-arrival.ts';

/** A file on its way in. */
export interface UploadBody {
  readonly declared: DeclaredFile;
  /** Its bytes as they come. To be read once. Ends with a fault where there are too many. */
  readonly chunks: AsyncIterable<Buffer>;
}

type Upload = NonNullable<Operation['upload']>;

/** Hands bodies on as they come, of whatever media type: what is read of them is decided by `uploadBodyOf`. */
export function streamBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/** The file that a request brings. Refuses another media type, and a length that is too much, before a byte is read. */
export function uploadBodyOf(request: FastifyRequest, { mediaType, limit }: Upload): UploadBody {
  const declared = declaredBy(request.headers['content-type'], mediaType);
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the file as it is, without a Content-Encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return { declared, chunks: read(request, limit) };
}

async function* read({ raw, body }: FastifyRequest, limit: number): AsyncGenerator<Buffer> {
  const payload = body as Readable | undefined;
  if (payload === undefined) return;
  let bytes = 0;
  try {
    for await (const chunk of punctual(payload, raw)) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      yield chunk;
    }
  } finally {
    discard(payload, limit);
  }
}

/** The chunks of a file, as long as they come in time. */
async function* punctual(payload: Readable, request: FastifyRequest['raw']): AsyncGenerator<Buffer> {
  // Destroying the request would close its connection, and the client would never hear what was wrong.
  const chunks = payload.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let late: Fault | null = null;
  let fail: (fault: Fault) => void = () => undefined;
  allowUpload(request, (fault) => {
    late = fault;
    fail(fault);
  });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        if (late !== null) return reject(late);
        fail = reject;
        chunks.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // One that is late waits for its next chunk still, and ends with the connection.
    if (late === null) await chunks.return?.();
  }
}

/**
 * Throws the rest of a refused file away as it comes: most clients look for the answer only when they have sent it all.
 * Who sends more than it could ever have been allowed is cut off.
 */
function discard(payload: Readable, most: number): void {
  let left = most;
  payload.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) payload.destroy();
  });
  payload.resume();
}

function tooLarge(limit: number): Fault {
  return new Fault('TOO_LARGE', `The file is over the size limit of ${limit / 1024 ** 2} MiB.`);
}
