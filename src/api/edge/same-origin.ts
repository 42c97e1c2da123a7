import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../../contract/index.ts';

/**
 * Refuses a write that a page of another site made a browser send. Such a request carries the user's cookies without
 * the user's will; clients that are not browsers send neither header and are not concerned.
 */
export function refuseForeignOrigin(headers: IncomingHttpHeaders, ownOrigins: readonly string[]): void {
  const { origin } = headers;
  const foreign = origin !== undefined && !ownOrigins.includes(origin);
  if (foreign || headers['sec-fetch-site'] === 'cross-site') {
    throw new Fault(
      'ORIGIN_DENIED',
      'A browser may send this only from a page of the site itself. From elsewhere use an API key.',
    );
  }
}

/** The origins that are ours. On loopback a browser may be using another of this machine's names. */
export function ownOrigins(siteUrl: string, options: { loopback: boolean }): string[] {
  const site = new URL(siteUrl);
  if (!options.loopback || site.protocol !== 'http:') return [site.origin];
  const port = site.port === '' ? '' : `:${site.port}`;
  return [site.origin, ...['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}${port}`)];
}
