import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { openS3Storage } from '../../../src/platform/index.ts';
import { checkSignature } from './check-signature.ts';
import { loadTestConfig } from './test-config.ts';

const BUCKET = 'almanac';
const PREFIX = 'tests/';
/** The secret of s3rver's account. */
const SECRET = 'S3RVER';

/** What a server does to a request instead of answering it: it returns true if it did. */
export type Disturb = (request: IncomingMessage, response: ServerResponse, answer: () => Promise<Answer>) => unknown;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An S3-compatible server on this machine, behind a proxy that can disturb requests. */
export interface ObjectServer extends AsyncDisposable {
  /** The settings of a service that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The method and path of each request. */
  readonly requests: string[];
  /** Returns whether it has handled the request. A test may replace it. */
  disturb: Disturb;
  /** Returns the keys of all objects. */
  keys(): string[];
}

/** Starts a server with an empty bucket. The proxy checks the signature of every request. */
export async function startObjectServer(): Promise<ObjectServer> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-s3-'));
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await s3.run();
  const requests: string[] = [];
  const proxy = createServer(async (incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const body = await buffer(incoming);
    const refusal = checkSignature(incoming, body, SECRET);
    if (refusal !== null) return void response.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`);
    const answer = () => forward(port, incoming, body);
    if (await server.disturb(incoming, response, answer)) return;
    const reply = await answer();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const server: ObjectServer = {
    environment: {
      ALMANAC_S3_ENDPOINT: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      ALMANAC_S3_BUCKET: BUCKET,
      ALMANAC_S3_ACCESS_KEY_ID: 'S3RVER',
      ALMANAC_S3_SECRET_ACCESS_KEY: SECRET,
      ALMANAC_S3_PREFIX: PREFIX,
    },
    requests,
    disturb: () => false,
    keys: () =>
      readdirSync(join(directory, BUCKET), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await s3.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return server;
}

async function forward(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }).end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0 } = reply;
  return { status, headers: reply.headers, body: await buffer(reply) };
}

/** Opens the storage of a server, with short waits. Its warnings are added to `warnings`. */
export function openTestObjects(
  server: ObjectServer,
  {
    environment = {},
    warnings = [],
    attemptMs = 5_000,
  }: { environment?: Record<string, string>; warnings?: object[]; attemptMs?: number } = {},
) {
  const { objectStorage } = loadTestConfig({ ...server.environment, ...environment });
  assert.ok(objectStorage);
  return openS3Storage(objectStorage, {
    log: { warn: (details: object) => void warnings.push(details) },
    attemptMs,
    sleep: async () => undefined,
  });
}
