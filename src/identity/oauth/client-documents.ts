import type { ClientMetadata } from 'oidc-provider';
import { Fault, findNameProblem } from '../../contract/index.ts';
import { cleanText, isRecord, removeInvisible } from '../../platform/index.ts';
import { invalidClientDocument } from '../faults.ts';
import { MAX_NAME_LENGTH } from './clients.ts';
import { deriveApplicationType } from './configuration.ts';
import type { ClientDocument } from './oauth.ts';
import { checkRedirectUris } from './redirect-uris.ts';

const MAX_REDIRECT_URIS = 20;
/** Far above the length of any address at which applications publish their documents. */
const MAX_ID_LENGTH = 500;

/**
 * Checks the URL of a document before it is read. It must have only one spelling, so that one application cannot have
 * several ids, and the host that pages show is the one that was contacted.
 */
export function checkDocumentId(id: string): void {
  if (id.length > MAX_ID_LENGTH) throw invalidClientDocument(`has a URL with more than ${MAX_ID_LENGTH} characters`);
  const { href, pathname } = new URL(id);
  if (href !== id) throw invalidClientDocument('has a URL that is not written in its full form');
  if (pathname === '/') throw invalidClientDocument('has a URL without a path');
}

/** Reads a document. Throws a fault that names the problem. Fields that the service does not use are ignored. */
export function readClientDocument(id: string, text: string): ClientDocument {
  const fields = parseObject(text);
  if (fields.client_id !== id) throw invalidClientDocument('names another client_id than its own URL');
  checkAuthentication(fields);
  const unusable = new Map<string, string>();
  const uris = readRedirectUris(fields.redirect_uris).filter((uri) => {
    const problem = findProblem(uri, id);
    if (problem !== null) unusable.set(uri, problem);
    return problem === null;
  });
  const [firstProblem] = unusable.values();
  if (uris.length === 0 && firstProblem !== undefined) throw invalidClientDocument(`has an invalid ${firstProblem}`);
  checkRedirectUris(uris, false);
  const uri = readHomePage(fields.client_uri, id);
  const metadata: ClientMetadata = {
    client_id: id,
    client_name: readName(fields.client_name) ?? new URL(id).host,
    ...(uri !== null && { client_uri: uri }),
    redirect_uris: uris,
    application_type: deriveApplicationType(uris, false),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
  };
  return { metadata, unusable };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidClientDocument('is not JSON');
  }
  if (!isRecord(value)) throw invalidClientDocument('is not a JSON object');
  return value;
}

/** Everyone can read the document, so the client has no secret. Its requests are protected by PKCE. */
function checkAuthentication({
  token_endpoint_auth_method: method = 'none',
  ...fields
}: Record<string, unknown>): void {
  if ('client_secret' in fields) throw invalidClientDocument('contains a client_secret, which it must not');
  if (method !== 'none') throw invalidClientDocument('must have the token_endpoint_auth_method none or omit it');
}

function readRedirectUris(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= MAX_REDIRECT_URIS;
  if (!isList || !value.every((uri) => typeof uri === 'string')) {
    throw invalidClientDocument(`must have 1 to ${MAX_REDIRECT_URIS} redirect_uris`);
  }
  return [...new Set<string>(value)];
}

/** Returns why the client cannot use a redirect URI, or null. */
function findProblem(uri: string, id: string): string | null {
  try {
    checkRedirectUris([uri], false);
  } catch (error) {
    if (error instanceof Fault) return error.message.replace(/\.$/, '');
    throw error;
  }
  // Otherwise a document that was uploaded to a site of others could send codes anywhere under the name of that site.
  if (!/^https:/i.test(uri) || isBelow(uri, id)) return null;
  return `redirect_uri: ${JSON.stringify(uri.slice(0, 200))} must be at the host of the client_id or below it`;
}

/** Returns whether a URL is at the host and port of another URL, or at a subdomain of that host. */
function isBelow(url: string, other: string): boolean {
  const [{ hostname, port }, parent] = [new URL(url), new URL(other)];
  return port === parent.port && (hostname === parent.hostname || hostname.endsWith(`.${parent.hostname}`));
}

/** Returns the name as one line, or null if the document has no visible name. */
function readName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Invisible characters are removed, so that no application can look like another on the consent page.
  const name = cleanText(removeInvisible(value.slice(0, 16 * MAX_NAME_LENGTH)), MAX_NAME_LENGTH);
  return findNameProblem(name) === null ? name : null;
}

/** Returns the home page if it is at the host of the document or below it: the page shows it as the application's. */
function readHomePage(value: unknown, id: string): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { href, protocol, username, password } = new URL(value);
  // The page shows the address as text, and a user name would look like the host.
  const hasUser = username !== '' || password !== '';
  return protocol === 'https:' && !hasUser && isBelow(href, id) && href.length <= MAX_ID_LENGTH ? href : null;
}
