import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'openid-client';
import { createClient, type IdentityContext } from '../../../src/identity/index.ts';

/** A third party's web application on a loopback port, which signs its users in through the service. */
export interface OAuthApplication extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly callback: string;
  /** Starts a sign-in: returns the URL for the browser, and the function that completes it afterwards. */
  begin(parameters?: Record<string, string>): Promise<StartedSignIn>;
}

export interface StartedSignIn {
  readonly address: string;
  /** Redeems the code in the URL that the browser was redirected to. */
  finish(redirectedTo: string): Promise<oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers>;
}

export interface ApplicationOptions {
  readonly name?: string;
  /** Redirects browsers to another origin after the callback, as large applications do. */
  readonly home?: string;
}

/** Starts the application. @param siteUrl the service; its issuer is below it */
export async function startApplication(
  identity: IdentityContext,
  siteUrl: string,
  { name = 'Harbor Charts', home }: ApplicationOptions = {},
): Promise<OAuthApplication> {
  const server = createServer((request, response) => {
    if (home !== undefined && request.url?.startsWith('/callback')) {
      response.writeHead(303, { location: home + request.url }).end();
      return;
    }
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>${name}</title><h1>Back</h1>`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callback = `${url}/callback`;
  const client = await createClient(identity, { name, redirectUris: [callback], confidential: true, uri: url });
  const settings = await oauth.discovery(
    new URL(`${siteUrl}/auth`),
    client.client_id,
    client.client_secret,
    undefined,
    {
      execute: [oauth.allowInsecureRequests],
    },
  );
  return {
    name,
    url,
    callback,
    async begin(parameters = {}) {
      const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
      const expectedState = oauth.randomState();
      const address = oauth.buildAuthorizationUrl(settings, {
        redirect_uri: callback,
        scope: 'openid profile email',
        resource: siteUrl,
        code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        ...parameters,
      });
      return {
        address: address.href,
        finish: (redirectedTo) => {
          const back = new URL(callback + new URL(redirectedTo).search);
          return oauth.authorizationCodeGrant(
            settings,
            back,
            { pkceCodeVerifier, expectedState },
            { resource: siteUrl },
          );
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
