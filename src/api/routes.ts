import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../access/index.ts';
import { ErrorBody, type Operation, operations, SearchErrorBody, usesSearchEnvelope } from '../contract/index.ts';
import type { Call, Handler } from './call.ts';
import { admitRequest, chargeWork, reauthorize } from './edge/admit.ts';
import { admitByPath } from './edge/admit-by-path.ts';
import { announceDeprecation } from './edge/announce-deprecation.ts';
import { signalOf } from './edge/client-signal.ts';
import { createCookieJar } from './edge/cookies.ts';
import { BASE_PATH } from './edge/paths.ts';
import { openUpload, streamUploads } from './edge/upload-body.ts';
import { parsePart } from './edge/validate.ts';
import { EventStream } from './event-stream.ts';
import { admitForecastBody } from './handlers/admit-forecast-body.ts';
import { handlers } from './handlers/index.ts';
import type { RateLimitResult } from './limits/rate-limiter.ts';
import { countWorkTokens, type RequestWork, startRequestWork } from './limits/refused-work.ts';
import { canCostWork, runLimited } from './limits/run-limited.ts';
import type { OpenStreams } from './open-streams.ts';
import type { ApiParts } from './parts.ts';
import { Download, RenderedBody, Versioned } from './responses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    principal: Principal | null;
    rateLimit: RateLimitResult | null;
    work: RequestWork | null;
  }
}

const NO_FIELDS = z.strictObject({});

/** Registers a route for every operation of the contract. */
export function registerOperations(app: FastifyInstance, parts: ApiParts, streams: OpenStreams): void {
  // In development and tests a response that does not match its schema becomes a 500.
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        JSON.stringify((schema as unknown as z.ZodType).parse(value)),
  );
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    // The type of each handler depends on its operation; this loop treats all of them as handlers of any operation.
    const handler = handlers[id as keyof typeof handlers] as unknown as Handler<Operation>;
    const admit = operation.credential === 'path' ? admitByPath : admitRequest;
    const route: RouteOptions = {
      method: operation.method,
      url: BASE_PATH + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        operation,
        operationId: id,
        ...(operation.action === 'forecast.create' && { admitLargeBody: admitForecastBody }),
      },
      // A HEAD request would not end before the stream does, and compression would delay events.
      ...(operation.stream && { exposeHeadRoute: false, compress: false }),
      ...(parts.config.checkResponses && { schema: { response: responseSchemas(operation) } }),
      onRequest: async (request, reply) => {
        announceDeprecation(operation, reply);
        const { principal, rateLimit } = await admit(parts, operation, request, reply);
        if (operation.upload) parts.forecasts.load.admitUpload();
        request.principal = principal;
        request.rateLimit = rateLimit;
        if (canCostWork(operation)) request.work = startRequestWork(request);
      },
      ...(canCostWork(operation) && {
        onSend: async (request, reply) => chargeRefusedWork(parts, request, reply),
      }),
      handler: async (request, reply) => {
        const call = toCall(parts, operation, request, reply);
        const data = await runLimited(operation, call, { work: request.work, raw: reply.raw }, () => handler(call));
        reply.code(operation.status).header('cache-control', 'no-store');
        if (data instanceof RenderedBody) return data.send(reply);
        if (data instanceof Versioned) return data.send(request, reply, operation.reply.wrap);
        if (data instanceof EventStream) return data.send(reply, streams);
        if (data instanceof Download) return data.send(reply, operation.reply.wrap);
        if (operation.stream && data === null) return reply.code(204).send();
        return operation.reply.wrap(data);
      },
    };
    if (operation.upload) registerUpload(app, route);
    else app.route(route);
  }
}

/** Counts what a refused request has cost. Requests that were not admitted cost nothing. */
async function chargeRefusedWork(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { work, principal } = request;
  if (!work || !principal || reply.statusCode < 400 || reply.statusCode > 499) return;
  const tokens = countWorkTokens(work, request);
  if (tokens > 0) await chargeWork(parts, principal, request, reply, tokens);
}

/** Registers the route of an upload in its own context, where bodies are not read before the handler runs. */
function registerUpload(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    streamUploads(scope);
    scope.route(route);
  });
}

function toCall(parts: ApiParts, operation: Operation, request: FastifyRequest, reply: FastifyReply): Call<Operation> {
  const { principal, rateLimit } = request;
  if (!principal || !rateLimit) throw new Error('The handler was called before the request was admitted.');
  return {
    parts,
    principal,
    rateLimit,
    cookies: createCookieJar(request, reply),
    userAgent: request.headers['user-agent'] ?? null,
    address: request.ip,
    idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
    ifMatch: request.headers['if-match']?.toString() ?? null,
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    reauthorize: () => reauthorize(parts, operation.action, request, principal),
    get signal() {
      return signalOf(reply);
    },
    params: operation.params && parsePart(operation.params, request.params, 'path'),
    query: parsePart(operation.query ?? NO_FIELDS, request.query, 'query string'),
    body: operation.body && parsePart(operation.body, request.body, 'body'),
    upload: operation.upload && openUpload(request, operation.upload),
  };
}

function responseSchemas(operation: Operation) {
  const failure = usesSearchEnvelope(operation.path) ? SearchErrorBody : ErrorBody;
  return { [operation.status]: operation.reply.body, '4xx': failure, '5xx': failure };
}
