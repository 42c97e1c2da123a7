import type { IncomingMessage } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The prefix `__Host-` binds a cookie to this host over TLS, so that a sibling domain cannot set it. */
const NAMES = {
  session: '__Host-almanac_session',
  guest: '__Host-almanac_guest',
  save: '__Host-almanac_save',
  notice: '__Host-almanac_notice',
  hints: '__Host-almanac_hints',
  address: '__Host-almanac_address',
} as const;

export type CookieName = keyof typeof NAMES;

export interface CookieJar {
  get(name: CookieName): string | undefined;
  set(name: CookieName, value: string, maxAgeSeconds: number): void;
  clear(name: CookieName): void;
}

const ATTRIBUTES = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const;

export function createCookieJar(request: FastifyRequest, reply: FastifyReply): CookieJar {
  return {
    get: (name) => readCookie(request, name),
    set: (name, value, maxAge) => reply.setCookie(NAMES[name], value, { ...ATTRIBUTES, maxAge }),
    clear: (name) => reply.clearCookie(NAMES[name], ATTRIBUTES),
  };
}

export function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  return request.cookies[NAMES[name]];
}

/** Returns whether a request has any cookie of this service. */
export function hasCookie(request: FastifyRequest): boolean {
  return Object.values(NAMES).some((name) => request.cookies[name] !== undefined);
}

/** Returns the session cookie of a request that the framework has not parsed. */
export function readSessionCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return headers.cookie === undefined ? undefined : fastifyCookie.parse(headers.cookie)[NAMES.session];
}
