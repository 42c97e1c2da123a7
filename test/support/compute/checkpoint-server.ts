import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Replies to one request, correctly or with a fault. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface CheckpointServer extends AsyncDisposable {
  /** The URL of the folder. */
  readonly url: string;
  /** The files by name. */
  readonly files: Map<string, Uint8Array>;
  /** Replies to the next requests for the weights, one each. Later requests get the file. */
  readonly script: Reply[];
  /** The headers of the requests for the weights, in order. */
  readonly requests: IncomingHttpHeaders[];
}

/** Starts a server of a config and weights on this machine, with ranges, tags and scripted faults. */
export async function startCheckpointServer(weights: Uint8Array, config: string): Promise<CheckpointServer> {
  const files = new Map<string, Uint8Array>([
    ['config.json', Buffer.from(config)],
    ['model.safetensors', weights],
  ]);
  const script: Reply[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const name = request.url?.split('?')[0]?.split('/').at(-1) ?? '';
    const isWeights = name.endsWith('.safetensors');
    if (isWeights) requests.push(request.headers);
    const reply = (isWeights ? script.shift() : undefined) ?? sendFile(files.get(name));
    reply(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    files,
    script,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a file, or the requested part of it. */
export function sendFile(file: Uint8Array | undefined): Reply {
  return ({ headers }, response) => {
    if (file === undefined) return void response.writeHead(404).end('no such file');
    const etag = tagOf(file);
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const offset = headers['if-range'] === undefined || headers['if-range'] === etag ? start : 0;
    if (offset >= file.length && offset > 0) {
      return void response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    }
    const partly = offset > 0 && { 'content-range': `bytes ${offset}-${file.length - 1}/${file.length}` };
    const head = { etag, 'content-length': file.length - offset, ...partly };
    response.writeHead(partly ? 206 : 200, head).end(file.subarray(offset));
  };
}

/** Announces the whole file, sends its first bytes and closes the connection. */
export function breakOff(file: Uint8Array, after: number, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(200, { etag: tagOf(file), 'content-length': file.length, ...headers });
    response.write(file.subarray(0, after), () => setTimeout(() => response.destroy(), 60));
  };
}

export function answer(
  status: number,
  headers: Record<string, string | number> = {},
  body: string | Uint8Array = '',
): Reply {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

export function tagOf(file: Uint8Array): string {
  return `"${sha256Of(file).slice(0, 16)}"`;
}

export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
