import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../access/index.ts';
import { type BodyLimits, bodyLimitsOf, Fault, InlineRows, type Operation } from '../../contract/index.ts';
import { ThreadPool } from '../../platform/index.ts';
import type { ApiParts } from '../parts.ts';
import { BodyMemory, LARGE_BODY } from './body-memory.ts';
import { bodyEmpty, bodyEncoded, bodyNotJson } from './faults.ts';
import { type ParsedBody, parseJsonText } from './json-text.ts';
import { discardBody, receiveBody } from './receive-body.ts';

/** Larger bodies are parsed in another thread. Parsing smaller ones takes a few milliseconds. */
const MAX_PARSED_HERE = 256 * 1024;

const MAX_THREADS = 2;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Refuses a large body of an operation before it is parsed, if its caller cannot complete the operation now. */
export type AdmitLargeBody = (parts: ApiParts, request: FastifyRequest, body: Buffer) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    admitLargeBody?: AdmitLargeBody;
    /** The limits of the JSON body of a route that is not an operation. Bodies of other such routes are ignored. */
    jsonBody?: Partial<BodyLimits>;
  }
  interface FastifyRequest {
    /** The fault of a body that could not be read. A hook throws it after the parser, so that the connection stays open. */
    bodyFault: Fault | null;
  }
}

type BodyThreads = ThreadPool<BodyLimits, Uint8Array, ParsedBody>;

/**
 * Reads JSON bodies. One parser serves every media type, because an operation without a body ignores any body that a
 * client's library sends.
 */
export function readBodies(app: FastifyInstance, parts: ApiParts): void {
  const memory = new BodyMemory(parts.config);
  const threads: BodyThreads = new ThreadPool(new URL('./body-thread.ts', import.meta.url), {
    maxThreads: Math.min(MAX_THREADS, availableParallelism()),
    onLost: (error) => parts.log.error({ err: error }, 'a thread that parses bodies ended'),
  });
  app.addHook('onClose', () => threads.close());
  app.decorate('bodies', { memory, threads });
  app.decorateRequest('bodyFault', null);
  // The framework refuses an invalid media type before it calls any parser.
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation && !operation.body && !operation.upload) delete request.headers['content-type'];
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => done(request.bodyFault ?? undefined));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { operation, admitLargeBody, jsonBody } = request.routeOptions.config;
    const limits = limitsOf(jsonBody ? { bodyLimit: jsonBody } : operation, parts);
    const isRead = (jsonBody ?? operation?.body) !== undefined;
    const held = memory.hold(request.principal ?? ANONYMOUS, request.ip);
    try {
      if (isRead) checkHeaders(request);
      const body = await receiveBody(request, payload, limits, held);
      if (!isRead) return undefined;
      if (body.length > LARGE_BODY) await admitLargeBody?.(parts, request, body);
      return await parse(threads, body, limits);
    } catch (error) {
      if (!(error instanceof Fault) || error.status === 408) throw error;
      // The framework closes the connection after an error of a parser, and the client could not read the response.
      if (!payload.readableEnded) discardBody(payload);
      request.bodyFault = error;
      return undefined;
    } finally {
      held.release();
    }
  });
}

/** The process-wide parts that read bodies, for tests and metrics. */
declare module 'fastify' {
  interface FastifyInstance {
    bodies: { readonly memory: BodyMemory; readonly threads: BodyThreads };
  }
}

function limitsOf(operation: Pick<Operation, 'bodyLimit'> | undefined, { config }: ApiParts): BodyLimits {
  const limits = bodyLimitsOf(operation ?? {});
  return { ...limits, bytes: Math.min(limits.bytes, config.bodyLimit) };
}

function checkHeaders({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) throw bodyNotJson();
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw bodyEncoded();
}

async function parse(threads: BodyThreads, body: Buffer, limits: BodyLimits): Promise<unknown> {
  if (body.length === 0) throw bodyEmpty();
  const { value, rows } =
    body.length <= MAX_PARSED_HERE ? parseJsonText(body, limits) : await parseInThread(threads, body, limits);
  // The source of the body had rows, so both are objects.
  if (rows !== null) (value as { source: Record<string, unknown> }).source.points = new InlineRows(rows);
  return value;
}

function parseInThread(threads: BodyThreads, body: Buffer, limits: BodyLimits): Promise<ParsedBody> {
  const { buffer, byteOffset, byteLength } = body;
  // A large buffer has memory of its own, which can move to the thread.
  const isOwn = byteOffset === 0 && byteLength === buffer.byteLength;
  const bytes = new Uint8Array(isOwn ? buffer : Uint8Array.from(body).buffer);
  return threads.run(limits, bytes, [bytes.buffer as ArrayBuffer]);
}
