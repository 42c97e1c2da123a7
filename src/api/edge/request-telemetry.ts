import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginTrace, change, isMeasured, isTraced, type OpenSpan, observe } from '../../platform/index.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the operation in the contract. */
    operationId?: string;
  }
  interface FastifyRequest {
    span: OpenSpan | null;
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Measures and traces every request, if the settings enable it. Register before other hooks. */
export function measureRequests(app: FastifyInstance): void {
  if (!isMeasured() && !isTraced()) return;
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    measureRequest(request, reply);
    // The rest of the request runs within this call; Fastify restores its context after it has read a body.
    if (request.span === null) done();
    else request.span.run(done);
  });
}

/** Measures and traces one request. Called directly for requests that do not pass through the hooks. */
export function measureRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (!isMeasured() && !isTraced()) return;
  const startedAt = performance.now();
  const operation = operationName(request);
  const method = METHODS.find((known) => known === request.method) ?? 'other';
  request.span = openSpan(request, method);
  change('http_requests_in_flight', {}, 1);
  let sent: number | null = null;
  reply.raw.once('finish', () => {
    sent = reply.raw.statusCode;
  });
  // Emitted for every request, even if the client disconnected or Fastify did not send the response.
  reply.raw.once('close', () => {
    change('http_requests_in_flight', {}, -1);
    const status = sent === null ? 'aborted' : `${Math.floor(sent / 100)}xx`;
    observe('http_request_duration_seconds', { operation, method, status }, (performance.now() - startedAt) / 1000);
    closeSpan(request.span, sent);
  });
}

/** Returns the operation id or, without one, the route pattern. The URL is not used, because it can contain anything. */
export function operationName({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string {
  const { config, url } = routeOptions ?? {};
  return config?.operationId ?? url ?? 'unknown';
}

function openSpan(request: FastifyRequest, method: string): OpenSpan | null {
  const route = request.routeOptions?.url;
  const name = route === undefined ? method : `${method} ${route}`;
  const attributes = {
    'http.request.method': method,
    // The same UUID as in the log.
    'almanac.request_id': request.id,
    ...(route !== undefined && { 'http.route': route }),
  };
  const traceparent = request.headers.traceparent?.toString();
  return beginTrace({ name, kind: 'server', attributes }, { traceparent, from: 'caller' });
}

function closeSpan(span: OpenSpan | null, status: number | null): void {
  if (status === null) span?.fail('aborted');
  else span?.set({ 'http.response.status_code': status });
  if (status !== null && status >= 500) span?.fail(status);
  span?.end();
}
