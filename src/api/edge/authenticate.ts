import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Principal } from '../../access/index.ts';
import { authenticateGuest, authenticateKey, authenticateSession, type IdentityContext } from '../../identity/index.ts';
import { readCookie } from './cookies.ts';

/** Who is asking, and whether a credential came with the request that is no good. */
export interface Authentication {
  readonly principal: Principal;
  /** A Bearer credential was presented and refused. It is never replaced by a cookie: the caller meant it. */
  readonly refused: boolean;
  /** A browser adds the credential by itself, whichever site made it send the request. */
  readonly foreignPagesCanSend: boolean;
}

const NOBODY: Authentication = { principal: ANONYMOUS, refused: false, foreignPagesCanSend: false };
const REFUSED: Authentication = { principal: ANONYMOUS, refused: true, foreignPagesCanSend: false };

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Reads the credential of a request: a Bearer key first, then the session cookie, then the guest cookie. */
export async function authenticate(identity: IdentityContext, request: FastifyRequest): Promise<Authentication> {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const token = BEARER.exec(header)?.[1];
    const account = token === undefined ? null : await authenticateKey(identity, token);
    return account ? { principal: account, refused: false, foreignPagesCanSend: false } : REFUSED;
  }
  const session = readCookie(request, 'session');
  const account = session === undefined ? null : await authenticateSession(identity, session);
  if (account) return { principal: account, refused: false, foreignPagesCanSend: true };
  const secret = readCookie(request, 'guest');
  const guest = secret === undefined ? null : await authenticateGuest(identity, secret);
  return guest ? { principal: guest, refused: false, foreignPagesCanSend: true } : NOBODY;
}
