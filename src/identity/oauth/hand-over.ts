import type { IncomingMessage } from 'node:http';
import { OAUTH_SCOPES } from './account-claims.ts';
import { OAUTH_ROUTES } from './configuration.ts';
import { OAUTH_MOUNT } from './oauth.ts';
import { isSite } from './resource.ts';

/** What an application gets that names no scope: RFC 6749, 3.3 asks for a default or a refusal. */
const DEFAULT_SCOPE = 'openid';

/** What the provider refuses in other words than a missing scope when openid is not asked for. */
const NEEDING_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

export interface Address {
  /** Below the mount, without the query. */
  readonly path: string;
  readonly siteUrl: string;
}

/**
 * Shows the provider a request as if it lived at the root, and puts the address back afterwards: the log wants the one
 * that was asked for.
 */
export async function withAddressFor<Answer>(
  request: IncomingMessage & { originalUrl?: string },
  address: Address,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { url = '', originalUrl } = request;
  const inner = `${address.path}${queryFor(address, url)}`;
  request.url = inner;
  // By these two the provider knows where it is mounted.
  request.originalUrl = `${OAUTH_MOUNT}${inner}`;
  try {
    return await work();
  } finally {
    request.url = url;
    if (originalUrl === undefined) delete request.originalUrl;
    else request.originalUrl = originalUrl;
  }
}

function queryFor({ path, siteUrl }: Address, url: string): string {
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start);
  return path === OAUTH_ROUTES.authorization ? completeAuthorization(query, siteUrl) : query;
}

/** Adds what an application may leave out, and writes what can be written in several ways in one. */
export function completeAuthorization(query: string, siteUrl: string): string {
  const params = new URLSearchParams(query);
  // One that is there twice is refused by the provider, which must see it as it came.
  if (params.getAll('scope').length > 1 || params.getAll('prompt').length > 1) return query;
  const resources = params.getAll('resource');
  if (resources.length > 0 && resources.every((resource) => isSite(resource, siteUrl))) params.set('resource', siteUrl);
  if (!params.get('scope')) params.set('scope', DEFAULT_SCOPE);
  const scopes = params.get('scope')?.split(' ') ?? [];
  if (scopes.includes('openid')) askForKnown(params, scopes);
  else for (const name of NEEDING_OPENID) params.delete(name);
  return `?${params}`;
}

/**
 * Drops scopes that nobody here knows, as OpenID Connect Core, 3.1.2.1 wants it: nobody could say what consent to them
 * gives. Refresh tokens need the person's consent (ibid., 11), and the provider drops a wish for them that does not ask
 * for it by name.
 */
function askForKnown(params: URLSearchParams, scopes: readonly string[]): void {
  const known = OAUTH_SCOPES.filter((scope) => scopes.includes(scope));
  params.set('scope', known.join(' '));
  const prompts = params.get('prompt')?.split(' ').filter(Boolean) ?? [];
  if (known.includes('offline_access') && !prompts.includes('consent') && !prompts.includes('none')) {
    params.set('prompt', [...prompts, 'consent'].join(' '));
  }
}
