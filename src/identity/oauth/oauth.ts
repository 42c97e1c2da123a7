import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origin } from '../security-events.ts';

/** The path below which the provider is mounted. The issuer is the site's URL followed by this path. */
export const OAUTH_MOUNT = '/auth';

/** What a page shows while a sign-in waits for the person at the browser. */
export interface InteractionDetails {
  readonly uid: string;
  /** Login: the person signs in. Consent: the person decides whether the application may act for the account. */
  readonly prompt: 'login' | 'consent';
  /** The application requires the password now, or another account, even if the browser is signed in. */
  readonly passwordRequired: boolean;
  readonly client: { readonly id: string; readonly name: string; readonly uri: string | null };
  /** The account that decides on consent; null until the browser has signed in. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  /** What the application wants to use: this site. */
  readonly resource: string;
  /** Where the browser ends up. A page whose form leads there has to allow it in its content security policy. */
  readonly redirectUri: string;
  /** The address that the application expects, to fill in the form. */
  readonly loginHint: string | null;
}

/** One request to an endpoint of the provider. */
export interface OAuthRequest {
  /** Below the mount, without the query: `/oauth/token`. */
  readonly path: string;
  readonly origin?: Origin | undefined;
  /** Counts a token request of a client. Returns the seconds to wait when the client is over its limit, or null. */
  readonly countTokenRequest?: ((clientId: string) => Promise<number | null>) | undefined;
}

/** The embedded OAuth 2.0 and OpenID Connect provider. */
export interface OAuth {
  /** Throws while the provider cannot be built, for example without a database. Await it before taking over the response. */
  ready(): Promise<void>;
  /** Answers a request to one of the provider's own endpoints. */
  handle(request: IncomingMessage, response: ServerResponse, details: OAuthRequest): Promise<void>;
  /** Returns the interaction that this request's page belongs to; null when it is unknown or has expired. */
  readInteraction(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails | null>;
  /** Completes the login prompt. @returns the URL to send the browser to */
  completeLogin(request: IncomingMessage, response: ServerResponse, accountId: string): Promise<string>;
  /** Grants the requested scopes on behalf of the signed-in account. @returns the URL to send the browser to */
  grantConsent(request: IncomingMessage, response: ServerResponse, origin?: Origin): Promise<string>;
  /** Reports to the application that the person refused. @returns the URL to send the browser to */
  denyConsent(request: IncomingMessage, response: ServerResponse): Promise<string>;
}

/** An error as a person or an application gets it. */
export interface OAuthError {
  readonly error: string;
  readonly description: string;
  readonly requestId: string;
}

/** Renders the page that shows an error to a person at a browser. */
export type ErrorPage = (error: OAuthError) => {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The service's own session at a browser. The provider's session follows it. */
export interface BrowserSession {
  readonly id: string;
  readonly accountId: string;
  /** When the person signed in. */
  readonly startedAt: Date;
}

/** What the code behind the library needs to know about the request that is being answered. */
export interface RequestScope {
  readonly origin?: Origin | undefined;
  /** The browser session in which a person gives consent. */
  readonly sessionId?: string | undefined;
  readonly countTokenRequest?: OAuthRequest['countTokenRequest'];
}

/** Carries the scope of a request through the library, which has no parameter for it, to the code that stores things. */
export const requestScope = new AsyncLocalStorage<RequestScope>();
