import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientMetadata } from 'oidc-provider';
import type { Origin } from '../security-events.ts';
import type { OAuthClientTable } from './tables.ts';

/** The path at which the provider is mounted. The issuer is the site's URL followed by this path. */
export const OAUTH_MOUNT = '/auth';

/** What a token is for: the whole site with its API, or only the tools that agents use at `/mcp`. */
export type Resource = 'api' | 'mcp';

/** The data of an interaction, for the page that asks the person to sign in or to consent. */
export interface InteractionDetails {
  readonly uid: string;
  /**
   * With `login` the person has to sign in; with `consent`, to decide whether the application may act for the account.
   */
  readonly prompt: 'login' | 'consent';
  /** Whether the password must be entered even if the browser is signed in. */
  readonly passwordRequired: boolean;
  readonly client: {
    readonly id: string;
    readonly name: string;
    readonly uri: string | null;
    /** The host of the document that describes the application; null for one that the operator registered. */
    readonly host: string | null;
  };
  /** The account whose consent is requested; null for the prompt `login`. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  /** What the application requests access to. */
  readonly resource: Resource;
  /** The URL to which the browser is finally sent. A page whose form leads there must allow it in its policy. */
  readonly redirectUri: string;
  /** The email address that the application expects. The form shows it as the default. */
  readonly loginHint: string | null;
}

/** One request to an endpoint of the provider. */
export interface OAuthRequest {
  /** The path below the mount, without the query, such as `/oauth/token`. */
  readonly path: string;
  readonly origin?: Origin | undefined;
  /**
   * Counts a token request of a client. Returns the seconds to wait if the client has reached its limit, otherwise
   * null.
   */
  readonly countTokenRequest?: ((clientId: string) => Promise<number | null>) | undefined;
}

/** The embedded OAuth 2.0 and OpenID Connect provider. */
export interface OAuth {
  /** Throws if the provider cannot be built, for example without a database. Await it before `handle`. */
  ready(): Promise<void>;
  /** Answers a request to one of the provider's own endpoints. */
  handle(request: IncomingMessage, response: ServerResponse, details: OAuthRequest): Promise<void>;
  /** Returns the interaction that a request belongs to, or null if it is unknown or has expired. */
  readInteraction(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails | null>;
  /** Completes the login prompt. @returns the URL to send the browser to */
  completeLogin(request: IncomingMessage, response: ServerResponse, accountId: string): Promise<string>;
  /** Grants the requested scopes on behalf of the signed-in account. @returns the URL to send the browser to */
  grantConsent(request: IncomingMessage, response: ServerResponse, origin?: Origin): Promise<string>;
  /** Reports to the application that access was denied. @returns the URL to send the browser to */
  denyConsent(request: IncomingMessage, response: ServerResponse): Promise<string>;
}

/** An OAuth error to show on the error page. */
export interface OAuthError {
  readonly error: string;
  readonly description: string;
  readonly requestId: string;
}

/** Renders the page that shows an OAuth error. */
export type ErrorPage = (error: OAuthError) => {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The service's own session for a browser. The provider's session must belong to the same account. */
export interface BrowserSession {
  readonly id: string;
  readonly accountId: string;
  /** When the account signed in. */
  readonly startedAt: Date;
}

/** Data about the current request that the storage adapter and hooks need, and that the library does not pass to them. */
export interface RequestScope {
  readonly origin?: Origin | undefined;
  /** The browser session in which consent is given. */
  readonly sessionId?: string | undefined;
  readonly countTokenRequest?: OAuthRequest['countTokenRequest'];
  /**
   * Whether a client that a document describes is read from its stored row. Only sign-ins read the document, so that
   * applications can use their tokens while the document cannot be read.
   */
  readonly usesStoredClients?: boolean | undefined;
  /** The client to which consent is given, if a document describes it. It is stored with the grant. */
  readonly documentClient?: DocumentClient | undefined;
}

/** The metadata of a client that is identified by the URL of a document, as the document states it. */
export interface ClientDocument {
  readonly metadata: ClientMetadata;
  /** The redirect URIs of the document that break a rule, each with the rule. The client cannot use them. */
  readonly unusable: ReadonlyMap<string, string>;
}

/** Reads the documents that describe clients, and keeps each one for a few minutes. */
export interface ClientDocuments {
  /** Returns a document. Throws a fault if it cannot be read or is invalid. */
  read(id: string): Promise<ClientDocument>;
  /** Returns why a redirect URI of a document that was read cannot be used; null if it can, or is not in the document. */
  findProblem(id: string, redirectUri: string): Promise<string | null>;
}

/** A client that a document describes, as it is stored. */
export type DocumentClient = Pick<OAuthClientTable, 'id' | 'name' | 'uri' | 'redirect_uris'>;

/** Passes the scope of a request through the library to the storage adapter and hooks. */
export const requestScope = new AsyncLocalStorage<RequestScope>();
