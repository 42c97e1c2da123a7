import type { IncomingHttpHeaders } from 'node:http';
import { foreignOrigin } from '../faults.ts';

/**
 * Refuses a write request that a browser sent from a page of another site. The browser adds its cookies to such a request
 * without the consent of the account. Other clients send neither of the two headers and are not affected.
 */
export function refuseForeignOrigin(headers: IncomingHttpHeaders, ownOrigins: readonly string[]): void {
  const { origin } = headers;
  const isForeign = origin !== undefined && !ownOrigins.includes(origin);
  if (isForeign || headers['sec-fetch-site'] === 'cross-site') throw foreignOrigin();
}

/** Returns the origins of this service. On loopback, a browser can use any of the loopback names. */
export function ownOrigins(siteUrl: string, options: { loopback: boolean }): string[] {
  const site = new URL(siteUrl);
  if (!options.loopback || site.protocol !== 'http:') return [site.origin];
  const port = site.port === '' ? '' : `:${site.port}`;
  return [site.origin, ...['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}${port}`)];
}
