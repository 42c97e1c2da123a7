import type { CookieJar } from '../../edge/cookies.ts';
import type { UploadForm } from '../../edge/multipart.ts';
import type { RenderedBody } from '../../responses.ts';
import { SeeOther } from '../visit.ts';
import type { ConsolePage } from './document.ts';
import type { Visitor } from './visitor.ts';

/** The request of a browser that the handler of a console page receives. */
export interface ConsoleVisit {
  /** Calls the operations of the contract with the rights of the visitor. */
  readonly visitor: Visitor;
  /**
   * Returns the guest of a browser in which an account is signed in: its guest cookie stays, so that forecasts from
   * before the sign-in can still be saved. Null if no account is signed in, or the browser has no valid guest cookie.
   */
  readonly findGuest: () => Promise<Visitor | null>;
  readonly cookies: CookieJar;
  /** The public origin of the service. */
  readonly siteUrl: string;
  /** Whether emails are sent. Otherwise they are written to the log. */
  readonly hasMailServer: boolean;
  /** Whether the service is reachable on its own machine only. */
  readonly isLoopback: boolean;
  readonly now: Date;
  /** The path and query of the page. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The fields of the submitted form, not yet checked. */
  readonly form: unknown;
  /** Opens the form of an `upload` handler, whose file is read as it arrives. */
  readonly openUpload: (maxBytes: number) => Promise<UploadForm>;
}

/**
 * Makes the browser send the same form to another path of this site. Between the two requests it stores the cookies of
 * this response.
 */
export class SendAgain extends SeeOther {}

export type ConsoleHandler = (visit: ConsoleVisit) => Promise<ConsolePage | SeeOther | RenderedBody>;

export interface ConsoleRoute {
  readonly path: string;
  /** The size of the largest form of the page, if it is larger than those of other pages. */
  readonly formBytes?: number;
  readonly get?: ConsoleHandler;
  readonly post?: ConsoleHandler;
  /** Handles a POST whose form has a file (multipart/form-data), instead of `post`. */
  readonly upload?: ConsoleHandler;
}
