import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { finished } from 'node:stream';
import { OutboundError } from './outbound-error.ts';
import { checkedLookup, checkLiteralAddress } from './public-address.ts';

/**
 * The party that named an address. The operator may name any machine. Others, such as the server of a redirect or the discovery
 * document of an issuer, may name only machines on the public internet, by https, so that they cannot reach through this
 * machine what they cannot reach themselves.
 */
export type NamedBy = 'operator' | 'others';

export interface Destination {
  readonly namedBy: NamedBy;
  /**
   * The ranges of addresses, such as 10.0.0.0/8, that others may name as well, also by http. The operator sets them with
   * ALMANAC_OUTBOUND_ALLOW. Default: none.
   */
  readonly allow?: readonly string[] | undefined;
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface SentRequest extends Destination {
  /** Default: GET. */
  readonly method?: Method | undefined;
  readonly body?: Uint8Array | undefined;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

// Connections of requests to addresses that others named are not shared with those of the operator, whose addresses were
// not checked when they were opened.
const CHECKED_AGENTS = { 'http:': new HttpAgent(), 'https:': new HttpsAgent() };

/** Maximum number of replies with a status from 100 to 199 before the reply. A server could send them without end. */
const MAX_INFORMATIONAL = 20;

/**
 * Sends a request and returns the reply when its headers have arrived. Every request of the service to another
 * machine is sent here. It does not follow redirects.
 */
export function sendRequest(
  address: URL,
  { method = 'GET', body, headers, signal, namedBy, allow = [], lookup: resolve }: SentRequest,
): Promise<IncomingMessage> {
  return new Promise((fulfill, reject) => {
    const options: RequestOptions = { method, headers: Object.fromEntries(headers), signal, lookup: resolve };
    if (namedBy === 'others') {
      const rule = { allow, isEncrypted: address.protocol === 'https:' };
      checkLiteralAddress(address, rule);
      options.lookup = checkedLookup(resolve ?? (lookup as LookupFunction), rule);
      options.agent = CHECKED_AGENTS[address.protocol as keyof typeof CHECKED_AGENTS];
    }
    const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
    const receive = (reply: IncomingMessage) => {
      // A reply that is closed before it is read has no reader that its error could reach.
      reply.on('error', () => {});
      fulfill(reply);
    };
    const request = send(address, options, receive);
    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL) request.destroy(new OutboundError('malformed'));
    });
    // No request asks for another protocol. Such a reply ends the request without an error and without a response.
    request.on('upgrade', (_reply, socket) => {
      socket.destroy();
      reject(new OutboundError('malformed'));
    });
    request.on('close', () => reject(new OutboundError('unreachable')));
    request.on('error', reject).end(body);
  });
}

/** How many bytes may wait for a slow reader before the server has to wait. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Reads the body of a reply. If the connection breaks, it returns all bytes that arrived before it throws, which the
 * iterator of the stream does not do. A download can then be resumed where it ended.
 */
export async function* readChunks(reply: IncomingMessage): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let end: { readonly error: Error | null | undefined } | undefined;
  let wake = () => {};
  reply.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    waitingBytes += chunk.byteLength;
    if (waitingBytes > MAX_WAITING_BYTES) reply.pause();
    wake();
  });
  finished(reply, (error) => {
    end = { error };
    wake();
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) {
      waitingBytes -= chunk.byteLength;
      if (waitingBytes <= MAX_WAITING_BYTES) reply.resume();
      yield chunk;
    } else if (end === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (end.error) {
      throw end.error;
    } else {
      return;
    }
  }
}

/** Returns the headers of a reply. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  return headers;
}
