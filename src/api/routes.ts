import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../access/index.ts';
import {
  ErrorBody,
  Fault,
  type Operation,
  operations,
  SearchErrorBody,
  usesSearchEnvelope,
} from '../contract/index.ts';
import { Attachment } from './attachment.ts';
import type { Call, Handler } from './call.ts';
import { Download } from './download.ts';
import { admit } from './edge/admit.ts';
import { cookieJar } from './edge/cookies.ts';
import { BASE_PATH } from './edge/envelope.ts';
import { readmit } from './edge/readmit.ts';
import { streamBodies, uploadBodyOf } from './edge/upload-body.ts';
import { parsePart } from './edge/validate.ts';
import { EventStream, OpenStreams } from './event-stream.ts';
import { handlers } from './handlers/index.ts';
import type { ApiParts } from './parts.ts';
import { Versioned } from './versioned.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const NOTHING = z.strictObject({});

/** Puts every operation of the contract on its path. */
export function registerOperations(app: FastifyInstance, parts: ApiParts): void {
  const streams = new OpenStreams(app);
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    // The map is typed operation by operation; here it is walked, so each handler is taken as one of any operation.
    const handler = handlers[id as keyof typeof handlers] as unknown as Handler<Operation>;
    const route: RouteOptions = {
      method: operation.method,
      url: BASE_PATH + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation, operationId: id },
      // A HEAD would wait for the end of the stream. Compression would hold events back.
      ...(operation.stream && { exposeHeadRoute: false, compress: false }),
      ...(parts.config.checkResponses && { schema: { response: responseSchemas(operation) } }),
      onRequest: async (request, reply) => {
        request.principal = await admit(parts, operation, request, reply);
      },
      handler: async (request, reply) => {
        const data = await handler(toCall(parts, operation, request, reply));
        reply.code(operation.status).header('cache-control', 'no-store');
        if (data instanceof Attachment) return data.send(reply);
        if (data instanceof Versioned) return data.answer(request, reply, operation.reply.wrap) ?? reply.send();
        if (data instanceof EventStream) return data.send(reply, streams);
        if (data instanceof Download) return data.answer(reply, operation.reply.wrap);
        if (operation.stream && data === null) return reply.code(204).send();
        return operation.reply.wrap(data);
      },
    };
    if (operation.upload) registerUpload(app, route);
    else app.route(route);
  }
}

/** In a room of its own, where bodies are not read before they are asked for. */
function registerUpload(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    streamBodies(scope);
    scope.route(route);
  });
}

function toCall(parts: ApiParts, operation: Operation, request: FastifyRequest, reply: FastifyReply): Call<Operation> {
  const { principal } = request;
  if (!principal) throw new Error('A handler ran before the request was admitted.');
  return {
    parts,
    principal,
    cookies: cookieJar(request, reply),
    userAgent: request.headers['user-agent'] ?? null,
    address: request.ip,
    idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    principalNow: () => readmit(parts, operation.action, request, principal),
    get signal() {
      return signalOf(reply);
    },
    params: operation.params && parsePart(operation.params, request.params, 'path'),
    query: parsePart(operation.query ?? NOTHING, request.query, 'query string'),
    body: operation.body && parsePart(operation.body, request.body, 'body'),
    upload: operation.upload && uploadBodyOf(request, operation.upload),
  };
}

/** Made only for those who ask for it: most handlers are done before a client could go away. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Fault('INVALID_REQUEST', 'The client went away.'));
  });
  return controller.signal;
}

function responseSchemas(operation: Operation) {
  const failure = usesSearchEnvelope(operation.path) ? SearchErrorBody : ErrorBody;
  return { [operation.status]: operation.reply.body, '4xx': failure, '5xx': failure };
}
