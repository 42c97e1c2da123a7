import type { SpanSpec } from '../telemetry/index.ts';

/** A request to another machine, by its name only: paths and queries may hold keys. Nor is it told of our trace. */
export function outboundSpan({ hostname, protocol, port }: URL): SpanSpec {
  const attributes = {
    'http.request.method': 'GET',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return { name: 'GET', kind: 'client', attributes };
}
