import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span that was received. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** The number in OTLP: 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Returns every span so far. */
  spans(): SentSpan[];
  /** Returns all received bodies as text. */
  received(): string;
  /** Returns the resource attributes of the sender. */
  resource(): Readonly<Record<string, unknown>>;
  requests(): number;
  /** Returns the number of requests without a complete response whose connection is still open. */
  openRequests(): number;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts an OTLP collector on loopback that keeps what it receives. @param respond replaces its reply of 200 */
export async function startCollector(respond: Respond = accept): Promise<Collector> {
  const bodies: string[] = [];
  let requests = 0;
  let open = 0;
  const server = createServer((request, response) => {
    requests += 1;
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      if (request.url !== '/v1/traces' || request.method !== 'POST') response.writeHead(404).end();
      else respond(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parsed = () => bodies.flatMap((body) => (JSON.parse(body) as ExportRequest).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => bodies.join('\n'),
    requests: () => requests,
    openRequests: () => open,
    spans: () => parsed().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(readSpan))),
    resource: () => readAttributes(parsed()[0]?.resource.attributes ?? []),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const accept: Respond = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

interface Value {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}

interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly Value[];
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Value[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

function readSpan(span: RawSpan): SentSpan {
  const { traceId, spanId, name, kind } = span;
  return {
    traceId,
    spanId,
    name,
    kind,
    parentSpanId: span.parentSpanId || undefined,
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
    isError: span.status.code === 2,
    attributes: readAttributes(span.attributes),
  };
}

function readAttributes(attributes: readonly Value[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value;
      return [
        key,
        stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? '',
      ];
    }),
  );
}
