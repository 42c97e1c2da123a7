/** The base path of the API. */
export const BASE_PATH = '/api';

/** The path of the protected-resource metadata (RFC 9728). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * Returns the path of a request as the router matches it: decoded, without the query and without the origin of an
 * absolute URL. Every check of a path must use this function; otherwise an encoded letter (`/api/market%2Ddata`) would
 * change the response.
 */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*(?=\/)/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
