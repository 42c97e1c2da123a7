import type { FastifyRequest } from 'fastify';
import { type Account, ANONYMOUS, type Guest, type Principal } from '../../access/index.ts';
import {
  authenticateAccessToken,
  authenticateExternalToken,
  authenticateGuest,
  authenticateKey,
  authenticateSession,
  DEMONSTRATION_EMAIL,
  type Resource,
} from '../../identity/index.ts';
import { originOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';
import { hasCookie, readCookie } from './cookies.ts';

/** The parts that check credentials. */
export type CredentialCheckers = Pick<ApiParts, 'config' | 'identity' | 'accessTokens' | 'issuers'>;

/** The result of authenticating a request. */
export interface Authentication {
  readonly principal: Principal;
  /**
   * Whether a Bearer credential was refused. The cookies are then ignored, because the caller chose to send a Bearer
   * credential.
   */
  readonly isRefused: boolean;
  /** Whether the request has a cookie. Browsers also add cookies to requests that other sites initiate. */
  readonly needsOriginCheck: boolean;
}

const NO_CREDENTIAL: Authentication = { principal: ANONYMOUS, isRefused: false, needsOriginCheck: false };
const REFUSED: Authentication = { principal: ANONYMOUS, isRefused: true, needsOriginCheck: false };

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Authenticates a request by its Bearer credential or, if it has none, by its session cookie or its guest cookie.
 *
 * @param resource what the request is for. An access token for `/mcp` is refused elsewhere.
 */
export async function authenticate(
  checkers: CredentialCheckers,
  request: FastifyRequest,
  resource: Resource = 'api',
): Promise<Authentication> {
  if (request.headers.authorization !== undefined) {
    const token = readBearer(request);
    const account = token === undefined ? null : await authenticateBearer(checkers, token, request, resource);
    // The cookie that allows a guest's forecast to be saved also takes effect in a request with a key or token.
    return account && !isRefusedAccount(checkers.config, account.email)
      ? { principal: account, isRefused: false, needsOriginCheck: hasCookie(request) }
      : REFUSED;
  }
  return authenticateBrowser(checkers, request);
}

/** Authenticates a request by its session cookie or, if no account is signed in with it, by its guest cookie. */
export async function authenticateBrowser(
  { identity, config }: Pick<CredentialCheckers, 'identity' | 'config'>,
  request: FastifyRequest,
): Promise<Authentication> {
  const session = readCookie(request, 'session');
  const account = session === undefined ? null : await authenticateSession(identity, session);
  if (account && !isRefusedAccount(config, account.email)) {
    return { principal: account, isRefused: false, needsOriginCheck: true };
  }
  const secret = readCookie(request, 'guest');
  const guest = secret === undefined ? null : await authenticateGuest(identity, secret);
  return guest ? { principal: guest, isRefused: false, needsOriginCheck: true } : NO_CREDENTIAL;
}

/**
 * Returns the guest of a browser in which an account is signed in; otherwise null. `authenticateBrowser` returns the
 * account of such a browser.
 */
export async function findSecondGuest(
  { identity }: Pick<CredentialCheckers, 'identity'>,
  request: FastifyRequest,
): Promise<Guest | null> {
  const secret = readCookie(request, 'guest');
  if (request.principal?.kind !== 'account' || secret === undefined) return null;
  return authenticateGuest(identity, secret);
}

/** Returns everything in a request that `authenticate` looks up, as one text; null if there is nothing. */
export function presentedCredential(request: FastifyRequest): string | null {
  const { authorization } = request.headers;
  return authorization ?? presentedCookies(request);
}

/** Returns everything that `authenticateBrowser` looks up, as one text; null if there is nothing. */
export function presentedCookies(request: FastifyRequest): string | null {
  const cookies = [readCookie(request, 'session'), readCookie(request, 'guest')];
  return cookies.some((cookie) => cookie !== undefined) ? cookies.join(' ') : null;
}

/**
 * Returns whether an address is that of the demonstration account, on a public service. The account is an administrator
 * whose key is in a file and in the log of a start on loopback.
 */
export function isRefusedAccount({ loopback }: Pick<ApiParts['config'], 'loopback'>, email: string): boolean {
  return !loopback && email === DEMONSTRATION_EMAIL;
}

/** Returns the Bearer credential of a request, or undefined if it is missing or malformed. */
export function readBearer({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

/** Authenticates an API key, which contains no dot, or a signed token, which contains two. */
async function authenticateBearer(
  { identity, accessTokens, issuers }: CredentialCheckers,
  token: string,
  request: FastifyRequest,
  resource: Resource,
): Promise<Account | null> {
  if (!token.includes('.')) return authenticateKey(identity, token);
  const own = await authenticateAccessToken(identity, accessTokens, token, resource);
  if (own) return own;
  const origin = originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null });
  return authenticateExternalToken(issuers, identity, token, origin);
}
