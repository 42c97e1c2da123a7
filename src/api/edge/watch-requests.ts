import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginTrace, change, isMeasured, isTraced, type OpenSpan, observe } from '../../platform/index.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation in the contract. */
    operationId?: string;
  }
  interface FastifyRequest {
    span: OpenSpan | null;
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Measures and traces every request, where the settings ask for either; otherwise it adds nothing. Register first. */
export function watchRequests(app: FastifyInstance): void {
  if (!isMeasured() && !isTraced()) return;
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    watchRequest(request, reply);
    // All that follows is called from here; Fastify itself leads back to it after a body has come.
    if (request.span === null) done();
    else request.span.run(done);
  });
}

/** For a request that meets no hooks. */
export function watchRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (!isMeasured() && !isTraced()) return;
  const startedAt = performance.now();
  const operation = operationOf(request);
  const method = METHODS.find((known) => known === request.method) ?? 'other';
  request.span = openSpan(request, method);
  change('http_requests_in_flight', {}, 1);
  let sent: number | null = null;
  reply.raw.once('finish', () => {
    sent = reply.raw.statusCode;
  });
  // Comes for every request, also when its client went away and when the answer is not Fastify's.
  reply.raw.once('close', () => {
    change('http_requests_in_flight', {}, -1);
    const status = sent === null ? 'aborted' : `${Math.floor(sent / 100)}xx`;
    observe('http_request_duration_seconds', { operation, method, status }, (performance.now() - startedAt) / 1000);
    closeSpan(request.span, sent);
  });
}

/** The operation of the contract, else the route as it was registered: never the address, which may hold anything. */
export function operationOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string {
  const { config, url } = routeOptions ?? {};
  return config?.operationId ?? url ?? 'unknown';
}

function openSpan(request: FastifyRequest, method: string): OpenSpan | null {
  const route = request.routeOptions?.url;
  const name = route === undefined ? method : `${method} ${route}`;
  const attributes = {
    'http.request.method': method,
    // By which the log knows it, too: a UUID.
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
