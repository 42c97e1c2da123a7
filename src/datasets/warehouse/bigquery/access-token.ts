import {
  type Clock,
  isCausedByRequest,
  malformed,
  type ProviderClient,
  ProviderError,
  readRecord,
  waitUnlessAborted,
} from '../../../platform/index.ts';
import type { ServiceAccount } from './service-account.ts';

/** The id of the provider. */
export const BIGQUERY = 'bigquery';

/** What a token allows. Jobs can be canceled only with a token that also allows other changes. */
export const SCOPES = {
  read: 'https://www.googleapis.com/auth/bigquery.readonly',
  cancel: 'https://www.googleapis.com/auth/bigquery',
} as const;
export type Scope = keyof typeof SCOPES;

export interface AccessTokens {
  /**
   * Calls the API with a token. If the API does not accept the token, it is dropped, and the call is made once more with
   * a new one.
   */
  call<Result>(
    scope: Scope,
    signal: AbortSignal | undefined,
    send: (headers: { readonly authorization: string }) => Promise<Result>,
  ): Promise<Result>;
}

export interface AccessTokenParts {
  readonly account: ServiceAccount;
  readonly clock: Clock;
  /** Opens a client for one request of a token. Several callers can wait for it, so it has no signal. */
  readonly connect: () => ProviderClient;
}

interface Token {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What precedes a token in the header. */
export const SCHEME = 'Bearer ';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The longest time that Google allows. */
const ASSERTION_SECONDS = 3_600;
/** A token that expires within this time is not used, so that no request arrives after its end. */
const MARGIN_MS = 300_000;
const MAX_TOKEN_SECONDS = 86_400;
const MAX_TOKEN_LENGTH = 8_192;

/** Creates the tokens of a service account. They are kept in memory until five minutes before their end. */
export function createAccessTokens({ account, clock, connect }: AccessTokenParts): AccessTokens {
  const tokens = new Map<Scope, Token>();
  const requests = new Map<Scope, Promise<Token>>();

  async function requestToken(scope: Scope): Promise<Token> {
    const now = clock.now().getTime();
    const assertion = await signAssertion(account, SCOPES[scope], Math.floor(now / 1_000));
    try {
      const { text, seconds } = await connect().postForm(
        account.tokenUri,
        { grant_type: GRANT_TYPE, assertion },
        { isIdempotent: true, accept: readToken },
      );
      return { text, expiresAt: now + seconds * 1_000 };
    } catch (error) {
      // Google replies 400 to the assertion of a key that was deleted, and to one from a clock that is wrong.
      const isRejected = error instanceof ProviderError && isCausedByRequest(error.fault);
      throw isRejected ? new ProviderError(BIGQUERY, 'UNAUTHORIZED', 'request of a token') : error;
    }
  }

  /** Returns a token. Concurrent callers share one request. */
  function provideToken(scope: Scope): Promise<Token> {
    const token = tokens.get(scope);
    if (token !== undefined && clock.now().getTime() < token.expiresAt - MARGIN_MS) return Promise.resolve(token);
    const pending = requests.get(scope);
    if (pending !== undefined) return pending;
    const request = requestToken(scope)
      .then((received) => {
        tokens.set(scope, received);
        return received;
      })
      .finally(() => requests.delete(scope));
    // A caller that stops waiting does not handle the error.
    request.catch(() => {});
    requests.set(scope, request);
    return request;
  }

  return {
    async call(scope, signal, send) {
      for (let isRetry = false; ; isRetry = true) {
        signal?.throwIfAborted();
        const token = await waitUnlessAborted(provideToken(scope), signal);
        try {
          return await send({ authorization: `${SCHEME}${token.text}` });
        } catch (error) {
          if (!(error instanceof ProviderError) || error.fault !== 'UNAUTHORIZED' || isRetry) throw error;
          // Another caller may have replaced it already.
          if (tokens.get(scope) === token) tokens.delete(scope);
        }
      }
    },
  };
}

/** Returns a signed statement that the service account requests a token. */
async function signAssertion(
  { clientEmail, keyId, key, tokenUri }: ServiceAccount,
  scope: string,
  seconds: number,
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ASSERTION_SECONDS)
    .sign(key);
}

function readToken(reply: unknown): { readonly text: string; readonly seconds: number } {
  const { access_token: text, token_type: type, expires_in: seconds } = readRecord(BIGQUERY, reply);
  const isToken = typeof text === 'string' && text.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(text);
  if (!isToken || typeof type !== 'string' || type.toLowerCase() !== 'bearer') throw malformed(BIGQUERY, 'a token');
  const isDuration = typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_TOKEN_SECONDS;
  if (!isDuration) throw malformed(BIGQUERY, 'the lifetime of a token');
  return { text, seconds };
}
