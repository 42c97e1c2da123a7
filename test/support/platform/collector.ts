import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as it was sent. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** As OTLP counts: 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Every span so far. */
  spans(): SentSpan[];
  /** What was sent, as text. */
  received(): string;
  /** Of the process that sent them. */
  resource(): Readonly<Record<string, unknown>>;
  readonly requests: () => number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An OTLP collector on loopback that keeps what it gets. @param answer what it says instead of 200 */
export async function startCollector(answer: Answer = taken): Promise<Collector> {
  const bodies: string[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      if (request.url !== '/v1/traces' || request.method !== 'POST') response.writeHead(404).end();
      else answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parsed = () => bodies.flatMap((body) => (JSON.parse(body) as Sent).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => bodies.join('\n'),
    requests: () => requests,
    spans: () => parsed().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(readSpan))),
    resource: () => readAttributes(parsed()[0]?.resource.attributes ?? []),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const taken: Answer = (_request, response) => {
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

interface Sent {
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
