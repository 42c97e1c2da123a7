import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request, well or badly. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface CheckpointServer extends AsyncDisposable {
  /** Of the folder. */
  readonly url: string;
  /** What it serves, by name. */
  readonly files: Map<string, Uint8Array>;
  /** Replies to the next requests for the weights, one each; after these it is honest. */
  readonly script: Reply[];
  /** The requests for the weights, in order. */
  readonly asked: IncomingHttpHeaders[];
}

/** A server of a config and weights on this machine: ranges, tags, and the faults it is told to show. */
export async function startCheckpointServer(weights: Uint8Array, config: string): Promise<CheckpointServer> {
  const files = new Map<string, Uint8Array>([
    ['config.json', Buffer.from(config)],
    ['model.safetensors', weights],
  ]);
  const script: Reply[] = [];
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const name = request.url?.split('?')[0]?.split('/').at(-1) ?? '';
    const isWeights = name.endsWith('.safetensors');
    if (isWeights) asked.push(request.headers);
    const reply = (isWeights ? script.shift() : undefined) ?? sendFile(files.get(name));
    reply(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    files,
    script,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What an honest server of files does. */
export function sendFile(file: Uint8Array | undefined): Reply {
  return ({ headers }, response) => {
    if (file === undefined) return void response.writeHead(404).end('no such file');
    const etag = tagOf(file);
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const wanted = headers['if-range'] === undefined || headers['if-range'] === etag ? start : 0;
    if (wanted >= file.length && wanted > 0) {
      return void response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    }
    const partly = wanted > 0 && { 'content-range': `bytes ${wanted}-${file.length - 1}/${file.length}` };
    const head = { etag, 'content-length': file.length - wanted, ...partly };
    response.writeHead(partly ? 206 : 200, head).end(file.subarray(wanted));
  };
}

/** Announces the whole file, sends the first bytes and hangs up. */
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
