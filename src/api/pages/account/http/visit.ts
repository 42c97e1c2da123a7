import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../../../access/index.ts';
import type { Origin } from '../../../../identity/index.ts';
import type { CookieJar } from '../../../edge/cookies.ts';
import type { ApiParts } from '../../../parts.ts';
import type { Page } from '../markup/document.ts';

/** One request of a browser, as the page that answers it sees it. */
export interface Visit {
  readonly parts: ApiParts;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly cookies: CookieJar;
  /** Who is signed in at this browser. */
  readonly account: Account | null;
  readonly address: string;
  /** Where it comes from, for the account's list of events. */
  readonly origin: Origin;
  /** The fields of the form that was sent, not yet checked. */
  readonly form: unknown;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Go on there, with a GET: reloading what comes then sends no form again. */
export class SeeOther {
  readonly location: string;

  /** @param path of this site, checked where it came from outside; letters beyond ASCII cannot stand in a header */
  constructor(path: string) {
    const { pathname, search, hash } = new URL(path, 'http://site.invalid');
    this.location = pathname + search + hash;
  }
}

export type PageHandler = (visit: Visit) => Promise<Page | SeeOther>;

/** A visit of somebody who is signed in. */
export type MemberVisit = Visit & { readonly account: Account };

export interface PageRoute {
  readonly path: string;
  readonly get?: PageHandler;
  readonly post?: PageHandler;
}
