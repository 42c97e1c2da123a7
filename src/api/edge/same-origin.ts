import type { IncomingHttpHeaders } from 'node:http';
import { foreignOrigin } from '../faults.ts';

/**
 * Refuses a write that a page of another site made the browser send. The browser adds the user's cookies to such a
 * request without the user's consent. Clients other than browsers send neither header and are not affected.
 */
export function refuseForeignOrigin(headers: IncomingHttpHeaders, ownOrigins: readonly string[]): void {
  const { origin } = headers;
  const isForeign = origin !== undefined && !ownOrigins.includes(origin);
  if (isForeign || headers['sec-fetch-site'] === 'cross-site') throw foreignOrigin();
}

/** Returns the origins of this service. On loopback a browser can use any name of this machine. */
export function ownOrigins(siteUrl: string, options: { loopback: boolean }): string[] {
  const site = new URL(siteUrl);
  if (!options.loopback || site.protocol !== 'http:') return [site.origin];
  const port = site.port === '' ? '' : `:${site.port}`;
  return [site.origin, ...['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}${port}`)];
}
