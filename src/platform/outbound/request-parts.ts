import { OutboundError, type OutboundFault } from './outbound-error.ts';

export function webAddress(url: string): URL {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
    throw new OutboundError('malformed');
  }
  return address;
}

/** The runtime's own complaint would quote the header, which may be a key. */
export function sendable(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError('A header of this request cannot be sent: its name or value has forbidden characters.');
  }
}

/** What fetch threw; it hides the reason in `cause`. */
export function explainFailure(error: unknown, fallback: OutboundFault): OutboundError {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return new OutboundError(fallback);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  const isMalformed =
    cause.message === 'unexpected redirect' || cause.name === 'HTTPParserError' || code?.startsWith('Z_') === true;
  return new OutboundError(isMalformed ? 'malformed' : fallback, code);
}
