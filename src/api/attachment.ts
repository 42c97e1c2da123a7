import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Rendering } from '../snapshots/index.ts';
import { fileDisposition } from './file-disposition.ts';

/** A body that is written already, or is being written: it goes out as it is. */
export class Attachment {
  readonly #rendering: Rendering;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(rendering: Rendering, headers: Readonly<Record<string, string>>) {
    this.#rendering = rendering;
    this.#headers = headers;
  }

  static json(rendering: Rendering): Attachment {
    return new Attachment(rendering, { 'content-type': 'application/json; charset=utf-8' });
  }

  /**
   * @param facts what the JSON form says beside the rows, as headers: a CSV file has no place for them
   * @param wholeName with the letters that the file name lacks
   */
  static csv(
    rendering: Rendering,
    fileName: string,
    facts: Readonly<Record<string, string>>,
    wholeName?: string,
  ): Attachment {
    return new Attachment(rendering, {
      ...facts,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': fileDisposition(fileName, wholeName),
    });
  }

  /** A file of whatever length, written as it is sent. */
  static stream(chunks: () => AsyncIterable<Buffer>, fileName: string, wholeName: string): Attachment {
    return Attachment.csv({ bytes: 0, hasFailed: false, whole: () => null, chunks }, fileName, {}, wholeName);
  }

  /** A small file that is written already. */
  static file(text: string, fileName: string): Attachment {
    const body = Buffer.from(text);
    const chunks = async function* () {
      yield body;
    };
    return Attachment.csv({ bytes: body.length, hasFailed: false, whole: () => body, chunks }, fileName, {});
  }

  /** The body: in one piece once it has been written before, otherwise piece by piece as it is written. */
  send(reply: FastifyReply): FastifyReply {
    reply.headers(this.#headers);
    return reply.send(this.#rendering.whole() ?? Readable.from(this.#rendering.chunks(), { objectMode: false }));
  }
}
