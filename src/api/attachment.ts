import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Rendering } from '../snapshots/index.ts';

/** A body that is written already, or is being written: it goes out as it is. */
export class Attachment {
  readonly #rendering: Rendering;
  readonly #frame: { readonly before: Buffer; readonly after: Buffer };
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(rendering: Rendering, before: string, after: string, headers: Readonly<Record<string, string>>) {
    this.#rendering = rendering;
    this.#frame = { before: Buffer.from(before), after: Buffer.from(after) };
    this.#headers = headers;
  }

  /** A JSON object whose last field is the array of rows. */
  static json(rendering: Rendering, fields: object, lastField: string): Attachment {
    const before = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(lastField)}:[`;
    return new Attachment(rendering, before, ']}', { 'content-type': 'application/json; charset=utf-8' });
  }

  static csv(rendering: Rendering, fileName: string): Attachment {
    return new Attachment(rendering, '', '', {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${fileName}"`,
    });
  }

  /** The body: in one piece, with its length known, once it has been written before; otherwise as it is written. */
  send(reply: FastifyReply): FastifyReply {
    const { before, after } = this.#frame;
    reply.headers(this.#headers);
    const whole = this.#rendering.whole();
    if (whole === null) return reply.send(Readable.from(framed(before, this.#rendering, after), { objectMode: false }));
    reply.header('content-length', String(before.length + whole.length + after.length));
    return reply.send(
      Readable.from(
        [before, whole, after].filter(({ length }) => length > 0),
        { objectMode: false },
      ),
    );
  }
}

async function* framed(before: Buffer, rendering: Rendering, after: Buffer): AsyncGenerator<Buffer> {
  if (before.length > 0) yield before;
  yield* rendering.chunks();
  if (after.length > 0) yield after;
}
