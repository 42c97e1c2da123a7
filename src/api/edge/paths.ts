/** The base path of the API. */
export const BASE_PATH = '/api';

/** The path of the protected-resource metadata (RFC 9728). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** A path without a query or an encoded character, as nearly every request has. */
const PLAIN_PATH = /^\/[^%?#]*$/;

/**
 * Returns the path of a request as the router matches it: decoded, without the query and without the origin of an
 * absolute URL. Every check of a path must use this function; otherwise an encoded letter (`/api/market%2Ddata`) would
 * change the response.
 */
export function pathOf(url: string): string {
  if (PLAIN_PATH.test(url)) return url;
  const path = url.replace(/^https?:\/\/[^/]*(?=\/)/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
