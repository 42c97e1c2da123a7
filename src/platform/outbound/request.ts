import { currentRequestId, type SpanSpec } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import type { Method } from './send.ts';

/** Parses an http or https address without credentials. */
export function parseWebAddress(url: string): URL {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
    throw new OutboundError('bad_address');
  }
  return address;
}

/** The statuses with which a server names another address. */
export const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** The headers of every request unless the caller sets them. */
const DEFAULT_HEADERS = { accept: '*/*', 'user-agent': 'node' };

/** Builds the headers. Replaces the runtime's error, which would quote the header and could therefore contain a key. */
export function buildHeaders(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    const built = new Headers(headers);
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) if (!built.has(name)) built.set(name, value);
    return built;
  } catch {
    throw new TypeError('A header of this request cannot be sent: its name or value has invalid characters.');
  }
}

/** Converts an error of a socket, of the HTTP parser (HPE_…) or of decompression (Z_…). */
export function toOutboundError(error: unknown, fallback: OutboundFault): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return new OutboundError(/^(HPE|Z|ERR__ERROR)_/.test(code ?? '') ? 'malformed' : fallback, code);
}

/** Returns the span of a request. It contains only the host name and port, because paths and queries may contain keys. */
export function describeOutboundSpan({ hostname, protocol, port }: URL, method: Method = 'GET'): SpanSpec {
  const requestId = currentRequestId();
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(requestId !== undefined && { 'almanac.request_id': requestId }),
  };
  return { name: method, kind: 'client', attributes };
}
