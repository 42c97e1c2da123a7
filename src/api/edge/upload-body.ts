import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  CSV_DATE_ORDERS,
  type CsvDateOrder,
  type CsvDelimiter,
  type CsvEncoding,
  type Fault,
  type Operation,
} from '../../contract/index.ts';
import { invalidMediaTypeParameter, uploadEncoded, uploadTooLarge, uploadTypeRequired } from './faults.ts';
import { allowUpload } from './limit-arrival.ts';
import { discardRest } from './receive-body.ts';

/** A file that is being uploaded. */
export interface UploadBody {
  readonly declared: DeclaredFormat;
  /** The bytes of the file, to be read once. Throws a fault when the file is too large or too slow. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** The format that the media type of a file declares. A field is null if its parameter is missing. */
interface DeclaredFormat {
  readonly encoding: CsvEncoding | null;
  readonly header: 'present' | 'absent' | null;
  readonly delimiter: CsvDelimiter | null;
  readonly dates: CsvDateOrder | null;
}

type Upload = NonNullable<Operation['upload']>;

/** Makes a context leave bodies of any media type unread, so that `openUpload` can check a request first. */
export function streamUploads(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

/** Returns the uploaded file of a request. Refuses a wrong media type or an excessive length before any byte is read. */
export function openUpload(request: FastifyRequest, { mediaType, limit }: Upload): UploadBody {
  const declared = readDeclaredFormat(request.headers['content-type'], mediaType);
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw uploadEncoded();
  if (Number(request.headers['content-length'] ?? 0) > limit) throw uploadTooLarge(limit);
  return { declared, chunks: readChunks(request, limit) };
}

/** Yields the bytes of a body that `streamUploads` left unread. Throws a fault if it is too large or too slow. */
export async function* readChunks({ raw, body }: FastifyRequest, limit: number): AsyncGenerator<Buffer> {
  const payload = body as Readable | undefined;
  if (payload === undefined) return;
  let bytes = 0;
  try {
    for await (const chunk of withArrivalTimeout(payload, raw)) {
      bytes += chunk.length;
      if (bytes > limit) throw uploadTooLarge(limit);
      yield chunk;
    }
  } finally {
    discardRest(payload, limit);
  }
}

/** Yields the chunks of a file, and throws when they arrive too slowly. */
async function* withArrivalTimeout(payload: Readable, request: FastifyRequest['raw']): AsyncGenerator<Buffer> {
  // Destroying the request would close its connection, and the client could not read the error.
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
    // If the file is late, the iterator still has a pending read, which ends with the connection.
    if (late === null) await chunks.return?.();
  }
}

const ENCODINGS: Readonly<Record<string, CsvEncoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  // The default if there is no byte order mark. A byte order mark takes precedence (RFC 2781).
  'utf-16': 'utf-16be',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
};

/** The delimiters by name, because two of the characters have a special meaning in headers. */
const DELIMITERS: Readonly<Record<string, CsvDelimiter>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
const DATE_ORDERS: Readonly<Record<string, CsvDateOrder>> = Object.fromEntries(
  CSV_DATE_ORDERS.map((order) => [order, order]),
);
const HEADERS = { present: 'present', absent: 'absent' } as const;

/** Reads the parameters of a Content-Type header. Refuses any other media type and unknown values. */
export function readDeclaredFormat(contentType: string | undefined, mediaType: string): DeclaredFormat {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) throw uploadTypeRequired(mediaType);
  const choose = <Value>(
    name: string,
    choices: Readonly<Record<string, Value>>,
    code: 'UNSUPPORTED_MEDIA_TYPE' | 'INVALID_REQUEST',
  ): Value | null => {
    const found = parameters.find((part) => part.split('=')[0]?.trim() === name);
    if (found === undefined) return null;
    const word = found.slice(found.indexOf('=') + 1).replace(/^\s*"?|"?\s*$/g, '');
    const chosen = Object.hasOwn(choices, word) ? choices[word] : undefined;
    if (chosen === undefined) throw invalidMediaTypeParameter(code, name, Object.keys(choices));
    return chosen;
  };
  return {
    encoding: choose('charset', ENCODINGS, 'UNSUPPORTED_MEDIA_TYPE'),
    header: choose<'present' | 'absent'>('header', HEADERS, 'UNSUPPORTED_MEDIA_TYPE'),
    delimiter: choose('delimiter', DELIMITERS, 'INVALID_REQUEST'),
    dates: choose('dates', DATE_ORDERS, 'INVALID_REQUEST'),
  };
}
