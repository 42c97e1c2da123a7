import { connect, type Socket } from 'node:net';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** A keep-alive connection that sends one request at a time. Bare sockets, so that the client is not the bottleneck. */
export class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #pending: PromiseWithResolvers<number> | null = null;

  constructor(port: number, key: string) {
    this.#head = `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n`;
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (chunk: unknown) => this.#receive(String(chunk)));
    this.#socket.on('error', (error) => this.#pending?.reject(error));
    this.#socket.on('close', () => this.#pending?.reject(new Error('The connection was closed.')));
  }

  /** Returns the status when the whole response has arrived. */
  async send({ method, path, body = '', contentType = 'application/json' }: Request): Promise<number> {
    const pending = Promise.withResolvers<number>();
    this.#pending = pending;
    const entity =
      method === 'GET' ? '' : `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#head}${entity}\r\n${body}`);
    return pending.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    const isWhole =
      length === undefined
        ? this.#received.endsWith('\r\n0\r\n\r\n')
        : this.#received.length >= headEnd + 4 + Number(length);
    if (!isWhole) return;
    this.#received = '';
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve(Number(head.slice(9, 12)));
  }
}
