import type { FastifyReply } from 'fastify';
import { fileDisposition } from './file-disposition.ts';

/** An answer in its usual envelope that a browser keeps as a file. */
export class Download<Data extends object> {
  readonly #data: Data;
  readonly #fileName: string;

  constructor(data: Data, fileName: string) {
    this.#data = data;
    this.#fileName = fileName;
  }

  answer(reply: FastifyReply, wrap: (data: unknown) => unknown): unknown {
    reply.header('content-disposition', fileDisposition(this.#fileName));
    return wrap(this.#data);
  }
}
