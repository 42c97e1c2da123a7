import type { SpanSpec } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';

/** Parses an http or https address without credentials. */
export function parseWebAddress(url: string): URL {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
    throw new OutboundError('malformed');
  }
  return address;
}

/** Builds the headers. Replaces the runtime's error, which would quote the header and could therefore contain a key. */
export function buildHeaders(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError('A header of this request cannot be sent: its name or value has invalid characters.');
  }
}

/** Converts an error of fetch, which has the reason in `cause`. */
export function toOutboundError(error: unknown, fallback: OutboundFault): OutboundError {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return new OutboundError(fallback);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  const isMalformed =
    cause.message === 'unexpected redirect' || cause.name === 'HTTPParserError' || code?.startsWith('Z_') === true;
  return new OutboundError(isMalformed ? 'malformed' : fallback, code);
}

/** Returns the span of a request. It contains only the host name and port, because paths and queries may contain keys. */
export function describeOutboundSpan({ hostname, protocol, port }: URL): SpanSpec {
  const attributes = {
    'http.request.method': 'GET',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return { name: 'GET', kind: 'client', attributes };
}
