import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origin } from '../security-events/origin.ts';

/** The path below which the provider lives. Its issuer is the site's address with this. */
export const OAUTH_MOUNT = '/auth';

/** What the person at the browser is asked, before an application gets its answer. */
export interface Interaction {
  readonly uid: string;
  /** Login: say who you are. Consent: say whether the application may act for you. */
  readonly prompt: 'login' | 'consent';
  /** Being signed in already is not enough: the application wants the password to be given now, or another person. */
  readonly passwordWanted: boolean;
  readonly client: { readonly id: string; readonly name: string; readonly uri: string | null };
  /** Who is asked for consent; null while nobody has signed in. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  /** What the application wants to use: this site. */
  readonly resource: string;
  /** Where the browser goes in the end. A page whose form leads there has to say so in its policy. */
  readonly redirectUri: string;
  /** The address that the application expects to be signed in, for filling in the form. */
  readonly loginHint: string | null;
}

/** One request to an endpoint of the provider. */
export interface OAuthVisit {
  /** Below the mount, without the query: `/oauth/token`. */
  readonly path: string;
  readonly origin?: Origin | undefined;
  /** Counts a request for tokens of a client, and says for how many seconds it has to wait; null: not at all. */
  readonly waitFor?: ((clientId: string) => Promise<number | null>) | undefined;
}

/** The embedded OAuth 2.0 and OpenID Connect provider. */
export interface OAuth {
  /** Throws while the provider cannot be built (no database, say): to be awaited before the response is taken over. */
  ready(): Promise<void>;
  /** Answers a request to one of the provider's own endpoints. */
  handle(request: IncomingMessage, response: ServerResponse, visit: OAuthVisit): Promise<void>;
  /** What is asked at the page of this request; null when that is unknown or too old. */
  interaction(request: IncomingMessage, response: ServerResponse): Promise<Interaction | null>;
  /** Ends the login prompt. @returns the address to send the browser to */
  signedIn(request: IncomingMessage, response: ServerResponse, accountId: string): Promise<string>;
  /** Grants what was asked for, to the account that is signed in. @returns the address to send the browser to */
  consented(request: IncomingMessage, response: ServerResponse, origin?: Origin): Promise<string>;
  /** Tells the application that it was refused. @returns the address to send the browser to */
  refused(request: IncomingMessage, response: ServerResponse): Promise<string>;
}
