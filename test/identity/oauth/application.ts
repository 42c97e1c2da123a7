import * as openid from 'openid-client';
import { type CreatedClient, createClient } from '../../../src/identity/index.ts';
import { type AccountSpec, makeAccount, withSession } from '../../support/identity/callers.ts';
import { type OAuthBrowser, oauthBrowser } from '../../support/identity/oauth-browser.ts';
import type { OAuthSite } from '../../support/identity/oauth-site.ts';

export const CALLBACK = 'http://127.0.0.1:54321/callback';
export const ALL_SCOPES = 'openid profile email offline_access';

/** An application on an independent OAuth library, as its developers would write it. */
export interface Application {
  readonly config: openid.Configuration;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Sends a browser through the sign-in and redeems the code at the token endpoint. */
  signIn(browser: OAuthBrowser, parameters?: Record<string, string>): Promise<openid.TokenEndpointResponse>;
  /** Sends a browser through the sign-in and returns the code with its verifier. */
  askForCode(browser: OAuthBrowser, parameters?: Record<string, string>): Promise<Code>;
}

export interface ApplicationOptions {
  readonly confidential?: boolean;
  readonly name?: string;
  readonly id?: string;
}

export interface Code {
  readonly callback: URL;
  readonly code: string;
  readonly verifier: string;
}

/** @param id the URL of a document that describes the application. Without it, the application is registered. */
export async function makeApplication(
  site: OAuthSite,
  { confidential = false, name = 'Example application', id }: ApplicationOptions = {},
): Promise<Application> {
  const redirectUris = [confidential ? CALLBACK : 'http://127.0.0.1/callback'];
  const client: CreatedClient =
    id === undefined ? await createClient(site.identity, { name, redirectUris, confidential }) : { client_id: id };
  const secret = client.client_secret;
  const authentication = secret ? openid.ClientSecretBasic(secret) : openid.None();
  const options = { execute: [openid.allowInsecureRequests] };
  const config = await openid.discovery(new URL(`${site.url}/auth`), client.client_id, secret, authentication, options);

  const askForCode: Application['askForCode'] = async (browser, parameters = {}) => {
    const verifier = openid.randomPKCECodeVerifier();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: ALL_SCOPES,
      resource: site.url,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    const callback = await browser.authorize(address);
    return { callback, code: callback.searchParams.get('code') ?? '', verifier };
  };
  return {
    config,
    clientId: client.client_id,
    clientSecret: secret,
    askForCode,
    async signIn(browser, parameters) {
      const { callback, verifier } = await askForCode(browser, parameters);
      return openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier });
    },
  };
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly browser: OAuthBrowser;
}

/** Creates an account and a browser that is signed in to it. */
export async function makePerson(site: OAuthSite, spec: AccountSpec = {}): Promise<Person> {
  const { id, email } = await makeAccount(site.identity, spec);
  const { cookie } = await withSession(site.identity, email);
  return { id, email, browser: oauthBrowser(site.url, cookie) };
}

/** Returns the API's response to a token: the status and the error code. */
export async function accessWith(site: { readonly url: string }, token: string): Promise<string> {
  const response = await fetch(`${site.url}/api/v1/me/access`, { headers: { authorization: `Bearer ${token}` } });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error ? `${response.status} ${error.code}` : String(response.status);
}

/** Sends a form to an endpoint of the provider, as curl would. */
export async function postForm(
  address: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers };
}
