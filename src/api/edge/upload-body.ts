import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CsvEncoding, Fault, type Operation } from '../../contract/index.ts';

/** A file on its way in. */
export interface UploadBody {
  /** What the media type says of it; null: nothing. */
  readonly declared: { readonly encoding: CsvEncoding | null; readonly header: 'present' | 'absent' | null };
  /** Its bytes as they come. To be read once. Ends with a fault where there are too many. */
  readonly chunks: AsyncIterable<Buffer>;
}

type Upload = NonNullable<Operation['upload']>;

const ENCODINGS: Readonly<Record<string, CsvEncoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  // Without a byte order mark, which decides where there is one (RFC 2781).
  'utf-16': 'utf-16be',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
};

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
  return { declared, chunks: read(request.body as Readable | undefined, limit) };
}

async function* read(payload: Readable | undefined, limit: number): AsyncGenerator<Buffer> {
  if (payload === undefined) return;
  let bytes = 0;
  try {
    // Destroying the request would close its connection, and the client would never hear what was wrong.
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      yield chunk;
    }
  } finally {
    discard(payload, limit);
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

function declaredBy(header: string | undefined, mediaType: string): UploadBody['declared'] {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) throw new Fault('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${mediaType}.`);
  const parameter = (name: string): string | null => {
    const found = parameters.find((part) => part.split('=')[0]?.trim() === name);
    return found === undefined ? null : found.slice(found.indexOf('=') + 1).replace(/^\s*"?|"?\s*$/g, '');
  };
  const [charset, headerLine] = [parameter('charset'), parameter('header')];
  const encoding = charset === null ? null : ENCODINGS[charset];
  if (encoding === undefined) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', `charset: must be one of ${Object.keys(ENCODINGS).join(', ')}.`);
  }
  if (headerLine !== null && headerLine !== 'present' && headerLine !== 'absent') {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'header: must be present or absent (RFC 4180).');
  }
  return { encoding, header: headerLine };
}
