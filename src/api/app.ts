import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { z } from 'zod';
import { ANONYMOUS } from '../access/index.ts';
import { registerAuth } from './auth/index.ts';
import { countRequest } from './edge/admit.ts';
import { answerBadAddress } from './edge/bad-address.ts';
import { allowOrigins } from './edge/cors.ts';
import { handleErrors } from './edge/error-boundary.ts';
import { letConnectionsEnd } from './edge/let-connections-end.ts';
import { limitArrival } from './edge/limit-arrival.ts';
import { logRequests } from './edge/log-requests.ts';
import { handleUnknownRoutes } from './edge/not-found.ts';
import { answerOddRequests, serverOptions } from './edge/protocol.ts';
import { readBodies } from './edge/read-body.ts';
import { requestIdOf } from './edge/request-id.ts';
import { setSecurityHeaders } from './edge/security-headers.ts';
import { refusePlainHttp } from './edge/transport.ts';
import { answerUnreadable } from './edge/unreadable.ts';
import { watchRequests } from './edge/watch-requests.ts';
import { registerAccountPages } from './pages/account/index.ts';
import { registerDocs } from './pages/docs.ts';
import { registerHealth } from './pages/health.ts';
import { registerUnsubscribe } from './pages/screener/unsubscribe.ts';
import type { ApiParts } from './parts.ts';
import { registerOperations } from './routes.ts';

// As in the error boundary: importing the module would load much that nobody here uses.
const { maxHeaderSize } = process.getBuiltinModule('node:http');

/** Smaller replies gain nothing from compression. */
const COMPRESSION_THRESHOLD = 1_024;

/** Builds the HTTP edge. It does not listen yet: tests call `inject`, the service calls `listen`. */
export async function buildApp(parts: ApiParts): Promise<FastifyInstance> {
  const { config, log } = parts;
  const arrival = { requestMs: config.requestSeconds * 1_000, uploadMs: config.uploadSeconds * 1_000 };
  // Head and body of whatever takes longest: `limitArrival` is stricter with most.
  const requestTimeout = arrival.requestMs + Math.max(arrival.requestMs, arrival.uploadMs);
  let stopping = false;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line a request, written by logRequests.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: config.bodyLimit,
    requestTimeout,
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection during a stop are served like any other in flight.
    return503OnClosing: false,
    http: serverOptions({ requestTimeout, headMs: arrival.requestMs }),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, { log, headMs: arrival.requestMs }),
    frameworkErrors: (_error, request, reply) => void answerBadAddress(parts, request, reply),
    // No head is longer: what is too long for a parameter is refused by its name, as any other value.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: false },
  });
  app.addHook('preClose', async () => {
    stopping = true;
  });

  app.decorateRequest('principal', null);
  limitArrival(app, arrival, log);
  watchRequests(app);
  app.setSerializerCompiler(({ schema }) => checkedSerializer(schema as unknown as z.ZodType));
  handleErrors(app, parts.siteUrl);
  readBodies(app);
  setSecurityHeaders(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  logRequests(app);
  letConnectionsEnd(app);
  await app.register(cookie);
  await app.register(compress, {
    threshold: COMPRESSION_THRESHOLD,
    encodings: ['br', 'gzip'],
    // Requests come as they are: a small body that unfolds to a large one is a favourite of attackers.
    globalDecompression: false,
  });
  // Before anything can refuse a request: a page of another origin may read a refusal only with the headers set here.
  if (config.corsOrigins.length > 0) await allowOrigins(app, config.corsOrigins);
  answerOddRequests(app);
  refusePlainHttp(app, config);
  handleUnknownRoutes(app, (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
  registerHealth(app, parts, () => stopping);
  registerOperations(app, parts);
  await registerAuth(app, parts);
  await registerAccountPages(app, parts);
  await registerUnsubscribe(app, parts);
  await registerDocs(app, parts);
  return app;
}

/** In development and tests a response that breaks its own schema is a fault of ours, and becomes a 500. */
function checkedSerializer(schema: z.ZodType): (value: unknown) => string {
  return (value) => JSON.stringify(schema.parse(value));
}
