import type { IncomingMessage } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `__Host-` binds a cookie to this very host over TLS, whatever a sibling domain tries to plant. */
const NAMES = {
  session: '__Host-almanac_session',
  guest: '__Host-almanac_guest',
  save: '__Host-almanac_save',
  notice: '__Host-almanac_notice',
} as const;

export type CookieName = keyof typeof NAMES;

export interface CookieJar {
  get(name: CookieName): string | undefined;
  set(name: CookieName, value: string, maxAgeSeconds: number): void;
  clear(name: CookieName): void;
}

const ATTRIBUTES = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const;

export function cookieJar(request: FastifyRequest, reply: FastifyReply): CookieJar {
  return {
    get: (name) => readCookie(request, name),
    set: (name, value, maxAge) => reply.setCookie(NAMES[name], value, { ...ATTRIBUTES, maxAge }),
    clear: (name) => reply.clearCookie(NAMES[name], ATTRIBUTES),
  };
}

export function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  return request.cookies[NAMES[name]];
}

/** Whether a browser sent anything of ours along. */
export function hasCookie(request: FastifyRequest): boolean {
  return Object.values(NAMES).some((name) => request.cookies[name] !== undefined);
}

/** The session's cookie in a request that the framework has not seen. */
export function sessionSecretOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.cookie === undefined ? undefined : fastifyCookie.parse(headers.cookie)[NAMES.session];
}
