import type { FastifyRequest } from 'fastify';
import { type Account, ANONYMOUS, type Principal } from '../../access/index.ts';
import {
  authenticateAccessToken,
  authenticateGuest,
  authenticateKey,
  authenticateOutsideToken,
  authenticateSession,
} from '../../identity/index.ts';
import { originOf } from '../limits/origin-of.ts';
import type { ApiParts } from '../parts.ts';
import { hasCookie, readCookie } from './cookies.ts';

/** What credentials are checked with. */
export type Checkers = Pick<ApiParts, 'identity' | 'accessTokens' | 'issuers'>;

/** Who is asking, and whether a credential came with the request that is no good. */
export interface Authentication {
  readonly principal: Principal;
  /** A Bearer credential was presented and refused. It is never replaced by a cookie: the caller meant it. */
  readonly refused: boolean;
  /** A browser adds a credential of the request by itself, whichever site made it send the request. */
  readonly foreignPagesCanSend: boolean;
}

const NOBODY: Authentication = { principal: ANONYMOUS, refused: false, foreignPagesCanSend: false };
const REFUSED: Authentication = { principal: ANONYMOUS, refused: true, foreignPagesCanSend: false };

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Reads the credential of a request: a Bearer key or token first, then the session cookie, then the guest cookie. */
export async function authenticate(checkers: Checkers, request: FastifyRequest): Promise<Authentication> {
  const { identity } = checkers;
  if (request.headers.authorization !== undefined) {
    const token = bearerOf(request);
    const account = token === undefined ? null : await authenticateBearer(checkers, token, request);
    // The proof of a guest counts beside a key or token, and is a cookie all the same.
    return account ? { principal: account, refused: false, foreignPagesCanSend: hasCookie(request) } : REFUSED;
  }
  const session = readCookie(request, 'session');
  const account = session === undefined ? null : await authenticateSession(identity, session);
  if (account) return { principal: account, refused: false, foreignPagesCanSend: true };
  const secret = readCookie(request, 'guest');
  const guest = secret === undefined ? null : await authenticateGuest(identity, secret);
  return guest ? { principal: guest, refused: false, foreignPagesCanSend: true } : NOBODY;
}

/** The Bearer credential of a request, if it has one that can be read. */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

/** Our keys have no dot in them, and signed tokens have two. */
async function authenticateBearer(
  { identity, accessTokens, issuers }: Checkers,
  token: string,
  request: FastifyRequest,
): Promise<Account | null> {
  if (!token.includes('.')) return authenticateKey(identity, token);
  const own = await authenticateAccessToken(identity, accessTokens, token);
  if (own) return own;
  const origin = originOf({ address: request.ip, userAgent: request.headers['user-agent'] ?? null });
  return authenticateOutsideToken(issuers, identity, token, origin);
}
