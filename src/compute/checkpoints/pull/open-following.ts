import { isIP } from 'node:net';
import { isLoopback, type OutboundStream, type OutboundStreamOptions, openStream } from '../../../platform/index.ts';
import { CheckpointError } from '../checkpoint-error.ts';

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 5;

/**
 * Opens an address and follows where it leads, which `openStream` does not: the hub of the released weights answers with
 * an address of its store. No credential travels along, and what comes is hashed; still a redirect must not make us ask
 * what its author cannot reach.
 */
export async function openFollowing(url: string, options: OutboundStreamOptions): Promise<OutboundStream> {
  let address = new URL(url);
  for (let followed = 0; ; followed += 1) {
    const reply = await openStream(address.href, options);
    if (!REDIRECTS.includes(reply.status)) return reply;
    await reply[Symbol.asyncDispose]();
    if (followed === MAX_REDIRECTS) throw refused(url, `it redirects more than ${MAX_REDIRECTS} times`);
    address = nextAddress(url, address, reply.headers.get('location'));
  }
}

/** Where a redirect leads; throws where it may not. */
export function nextAddress(start: string, from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from.href);
  if (next === null || !/^https?:$/.test(next.protocol)) throw refused(start, 'it redirects to no web address');
  if (from.protocol === 'https:' && next.protocol !== 'https:') throw refused(start, 'it redirects from https to http');
  if (next.username !== '' || next.password !== '') throw refused(start, 'it redirects to an address with a password');
  if (next.hostname !== from.hostname && !isPublicName(next.hostname)) {
    throw refused(start, 'it redirects to another machine without a public name');
  }
  return next;
}

/** Stores have names. A number, or a name of this machine, is how to reach what only we can reach. */
function isPublicName(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) === 0 && !isLoopback(host) && host.includes('.') && !/\.(localhost|local|internal)$/.test(host);
}

function refused(url: string, why: string): CheckpointError {
  return new CheckpointError('DOWNLOAD_REFUSED', `${url} cannot be downloaded: ${why}.`);
}
