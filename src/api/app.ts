import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { registerAuth } from './auth/routes.ts';
import { checkWatchers } from './check-watchers.ts';
import { closeConnectionsOnStop, handleProtocolErrors, refusePlainHttp, serverOptions } from './edge/connections.ts';
import { handleErrors } from './edge/error-response.ts';
import { limitArrival } from './edge/limit-arrival.ts';
import { logRequests, requestIdOf } from './edge/log-requests.ts';
import { readBodies } from './edge/read-body.ts';
import { measureRequests } from './edge/request-telemetry.ts';
import { allowOrigins, setSecurityHeaders } from './edge/response-headers.ts';
import { answerUndecodableUrl, handleUnknownRoutes } from './edge/unknown-routes.ts';
import { answerUnreadableRequest } from './edge/unreadable.ts';
import { registerMcp } from './mcp/register-mcp.ts';
import { OpenStreams } from './open-streams.ts';
import { registerAccountPages } from './pages/account/register-account-pages.ts';
import { registerConsole } from './pages/console/register-console.ts';
import { authenticateVisitor, sendConsoleError } from './pages/console/serve-console.ts';
import { registerDocs } from './pages/docs.ts';
import { registerHealth } from './pages/health.ts';
import { registerPublicPages } from './pages/public/register-public-pages.ts';
import { registerUnsubscribe } from './pages/unsubscribe.ts';
import { registerVerify } from './pages/verify/verify-page.ts';
import type { ApiParts } from './parts.ts';
import { registerOperations } from './routes.ts';

// Importing the module would also load a web client, which is not used here.
const { maxHeaderSize } = process.getBuiltinModule('node:http');

/** Smaller responses do not benefit from compression. */
const COMPRESSION_THRESHOLD = 1_024;

/** Builds the HTTP application. It does not listen yet: tests call `inject`, the service calls `listen`. */
export async function buildApp(parts: ApiParts): Promise<FastifyInstance> {
  const { config, log } = parts;
  const arrival = { requestMs: config.requestSeconds * 1_000, uploadMs: config.uploadSeconds * 1_000 };
  // The longest time that any head and body may take. `limitArrival` applies shorter limits to most requests.
  const requestTimeout = arrival.requestMs + Math.max(arrival.requestMs, arrival.uploadMs);
  let stopping = false;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // logRequests writes one line for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: config.bodyLimit,
    requestTimeout,
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection while the service stops are handled as usual.
    return503OnClosing: false,
    http: serverOptions({ requestTimeout, headMs: arrival.requestMs }),
    clientErrorHandler: (error, socket) => answerUnreadableRequest(error, socket, { log, headMs: arrival.requestMs }),
    frameworkErrors: (_error, request, reply) =>
      void answerUndecodableUrl(parts, request, reply, { sendError: sendConsoleError }),
    // As long as the longest possible head, so that every parameter reaches its schema, whose error names the
    // parameter.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: false },
  });
  app.addHook('preClose', async () => {
    stopping = true;
  });

  app.decorateRequest('principal', null);
  app.decorateRequest('rateLimit', null);
  app.decorateRequest('work', null);
  limitArrival(app, arrival, log);
  measureRequests(app);
  handleErrors(app, parts.siteUrl);
  readBodies(app, parts);
  setSecurityHeaders(app);
  logRequests(app);
  closeConnectionsOnStop(app);
  await app.register(cookie);
  await app.register(compress, {
    threshold: COMPRESSION_THRESHOLD,
    encodings: ['br', 'gzip'],
    // Compressed requests are not accepted: a small body could decompress to a very large one.
    globalDecompression: false,
  });
  // Registered before any hook that can refuse a request, because pages from other origins need these headers to read
  // errors.
  if (config.corsOrigins.length > 0) await allowOrigins(app, config.corsOrigins);
  handleProtocolErrors(app);
  refusePlainHttp(app, config);
  handleUnknownRoutes(app, parts, { admit: authenticateVisitor, sendError: sendConsoleError });
  registerHealth(app, parts, () => stopping);
  const streams = new OpenStreams(app, {
    maxStreams: config.streamsPerProcess,
    checkWatchers: (watchers) => checkWatchers(parts, watchers),
  });
  registerOperations(app, parts, streams);
  await registerMcp(app, parts, streams);
  await registerAuth(app, parts);
  await registerAccountPages(app, parts);
  await registerUnsubscribe(app, parts);
  await registerVerify(app, parts);
  await registerPublicPages(app, parts);
  await registerConsole(app, parts);
  await registerDocs(app, parts);
  return app;
}
