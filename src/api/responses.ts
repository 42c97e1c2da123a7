import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rendering } from '../snapshots/index.ts';

/** A response that clients can cache and revalidate by its ETag. */
export class Versioned<Data extends object> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }

  /** Sends the data with its ETag, or 304 when the client already has this version. */
  send(request: FastifyRequest, reply: FastifyReply, wrap: (data: unknown) => unknown): FastifyReply {
    const body = wrap(this.data);
    const etag = etagOf(body);
    // Only the caller may cache the response, and must revalidate it before every use: a forecast can be deleted.
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    // The response to a change is never 304, whatever the client has.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
  }
}

/** Returns the ETag of a response body, before it is compressed. */
export function etagOf(body: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
}

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const ENTITY_TAGS = new RegExp(`^${ENTITY_TAG}(?:[ \\t]*,[ \\t]*${ENTITY_TAG})*$`);

/** Returns whether an If-Match header accepts every version of an object. */
export function acceptsAnyVersion(header: string): boolean {
  return header.trim() === '*';
}

/**
 * Returns whether an If-Match header names a version. Compares strongly (RFC 9110, section 13.1.1), because a weak ETag
 * can stand for several versions. A malformed header names no version.
 */
export function namesVersion(header: string, etag: string): boolean {
  const tags = header.trim();
  const named: readonly string[] = ENTITY_TAGS.test(tags) ? (tags.match(new RegExp(ENTITY_TAG, 'g')) ?? []) : [];
  return named.includes(etag);
}

/** Returns whether the client has a version. Compares weakly, because a proxy may have weakened the ETag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}

/** A JSON response in the usual envelope that browsers save as a file. */
export class Download<Data extends object> {
  readonly data: Data;
  readonly #fileName: string;

  constructor(data: Data, fileName: string) {
    this.data = data;
    this.#fileName = fileName;
  }

  send(reply: FastifyReply, wrap: (data: unknown) => unknown): FastifyReply {
    return reply.header('content-disposition', fileDisposition(this.#fileName)).send(wrap(this.data));
  }
}

/** Reads the first chunk of a body, so that a failure until then becomes an error response. */
export async function beginBody(chunks: AsyncIterable<Buffer>): Promise<() => AsyncIterable<Buffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
}

/** A response whose body is rendered in advance, or while it is sent. */
export class RenderedBody {
  readonly #rendering: Rendering;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(rendering: Rendering, headers: Readonly<Record<string, string>>) {
    this.#rendering = rendering;
    this.#headers = headers;
  }

  static json(rendering: Rendering): RenderedBody {
    return new RenderedBody(rendering, { 'content-type': 'application/json; charset=utf-8' });
  }

  /**
   * @param headers the fields that the JSON format has in addition to the rows; a CSV file cannot contain them
   * @param unicodeName the file name, if it has characters beyond ASCII
   */
  static csv(
    rendering: Rendering,
    fileName: string,
    headers: Readonly<Record<string, string>>,
    unicodeName?: string,
  ): RenderedBody {
    return new RenderedBody(rendering, {
      ...headers,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': fileDisposition(fileName, unicodeName),
    });
  }

  /** Returns a CSV file of any length, which is rendered while it is sent. */
  static stream(
    chunks: () => AsyncIterable<Buffer>,
    fileName: string,
    unicodeName: string,
    headers: Readonly<Record<string, string>> = {},
  ): RenderedBody {
    const rendering = { bytes: 0, hasFailed: false, complete: () => null, chunks };
    return RenderedBody.csv(rendering, fileName, headers, unicodeName);
  }

  /** Returns a ZIP archive, which is written while it is sent. */
  static archive(chunks: () => AsyncIterable<Buffer>, fileName: string): RenderedBody {
    return new RenderedBody(
      { bytes: 0, hasFailed: false, complete: () => null, chunks },
      { 'content-type': 'application/zip', 'content-disposition': fileDisposition(fileName) },
    );
  }

  /** Returns a small CSV file from its text. */
  static file(text: string, fileName: string): RenderedBody {
    const body = Buffer.from(text);
    const chunks = async function* () {
      yield body;
    };
    return RenderedBody.csv({ bytes: body.length, hasFailed: false, complete: () => body, chunks }, fileName, {});
  }

  /**
   * Returns the same file for programs that read it again and again: not as an attachment, which spreadsheets do not
   * import, and with an ETag, which they revalidate before every use.
   */
  asFeed(etag: string): RenderedBody {
    // Only a caller with a credential of its own can use the cursor.
    const { 'x-next-cursor': _, ...headers } = this.#headers;
    return new RenderedBody(this.#rendering, {
      ...headers,
      'content-disposition': (this.#headers['content-disposition'] ?? '').replace(/^attachment/, 'inline'),
      'cache-control': 'private, max-age=0, must-revalidate',
      etag,
    });
  }

  /** Yields the body in parts, for an archive that contains it. */
  chunks(): AsyncIterable<Buffer> {
    return this.#rendering.chunks();
  }

  /** Returns the whole body as text, for a page that shows a part of it. */
  async text(): Promise<string> {
    const complete = this.#rendering.complete();
    if (complete !== null) return complete.toString();
    const chunks: Buffer[] = [];
    for await (const chunk of this.#rendering.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /**
   * Sends the body in one piece if it was rendered in advance, otherwise in chunks while it is rendered. Sends 304 instead
   * if the client already has this version.
   */
  send(reply: FastifyReply): FastifyReply {
    reply.headers(this.#headers);
    const { etag } = this.#headers;
    if (etag !== undefined && matchesEtag(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.send(this.#rendering.complete() ?? Readable.from(this.#rendering.chunks(), { objectMode: false }));
  }
}

/** Characters that file systems do not allow in a name, or that would disguise the name. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"*/:<>?\\|]/gu;

/**
 * Returns the Content-Disposition header of a file: the ASCII name for old clients and, if it differs, the full name
 * (RFC 8187).
 *
 * @param ascii a name of letters, digits, dots and dashes
 * @example fileDisposition('bersicht.csv', 'Übersicht.csv') // … filename="bersicht.csv"; filename*=UTF-8''%C3%9Cbersicht.csv
 */
export function fileDisposition(ascii: string, unicode: string = ascii): string {
  // A leading dot hides a file.
  const name = unicode
    .toWellFormed()
    .replace(UNSAFE_CHARACTERS, '_')
    .replace(/^[.\s]+/, '')
    .trimEnd();
  const plain = `attachment; filename="${ascii}"`;
  return name === '' || name === ascii ? plain : `${plain}; filename*=UTF-8''${encodeName(name)}`;
}

/** Encodes a name for RFC 8187, which does not allow some characters that `encodeURIComponent` leaves unchanged. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
