import type { CookieJar } from '../../edge/cookies.ts';
import type { RenderedBody } from '../../responses.ts';
import type { SeeOther } from '../visit.ts';
import type { ConsolePage } from './document.ts';
import type { Visitor } from './visitor.ts';

/** The request of a browser that the handler of a console page receives. */
export interface ConsoleVisit {
  /** Calls the operations of the contract with the rights of the visitor. */
  readonly visitor: Visitor;
  readonly cookies: CookieJar;
  /** The public origin of the service. */
  readonly siteUrl: string;
  readonly now: Date;
  /** The path and query of the page. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The fields of the submitted form, not yet checked. */
  readonly form: unknown;
}

export type ConsoleHandler = (visit: ConsoleVisit) => Promise<ConsolePage | SeeOther | RenderedBody>;

export interface ConsoleRoute {
  readonly path: string;
  readonly get?: ConsoleHandler;
  readonly post?: ConsoleHandler;
}
