import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { SCOPES } from '../../../src/contract/index.ts';
import { createApiKey } from '../../../src/identity/index.ts';
import { agentOf } from '../../mcp/scene.ts';
import type { OAuthSite } from '../../support/identity/oauth-site.ts';
import {
  type Application,
  accessWith,
  CALLBACK,
  makeApplication,
  makePerson,
  type Person,
  postForm,
} from './application.ts';

export interface ResourceScene {
  readonly site: OAuthSite;
  readonly application: Application;
  readonly person: Person;
  /** The URL of the tools. */
  readonly tools: string;
}

export async function openResourceScene(site: OAuthSite): Promise<ResourceScene> {
  const application = await makeApplication(site);
  return { site, application, person: await makePerson(site), tools: `${site.url}/mcp` };
}

/** Tests that tokens are for the site or for the tools of agents. */
export function testResources(scene: () => ResourceScene): void {
  /** Calls a tool with a credential. @returns the status, and the plan that the tool states */
  async function callTool(token: string): Promise<readonly [status: number, plan: unknown]> {
    const agent = agentOf(scene().site.app, { authorization: `Bearer ${token}` });
    const { status, result } = await agent.send({ method: 'tools/call', params: { name: 'my_limits', arguments: {} } });
    return [status, result?.structuredContent?.plan];
  }

  test('the tools of agents are a resource with its own metadata', async () => {
    const { site, tools } = scene();
    const response = await fetch(`${site.url}/.well-known/oauth-protected-resource/mcp`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const document = (await response.json()) as Record<string, unknown>;
    assert.equal(document.resource, tools);
    assert.deepEqual(document.authorization_servers, [`${site.url}/auth`]);
    assert.deepEqual(document.scopes_supported, ['openid', 'profile', 'email', 'offline_access']);
    assert.deepEqual(document.bearer_methods_supported, ['header']);
  });

  test('a token for the tools of agents is refused by the API', async () => {
    const { site, application, person, tools } = scene();
    let tokens = await application.signIn(person.browser, { resource: `${tools}/` });
    for (const parameters of [{}, { resource: tools }, { resource: `${tools}/` }]) {
      assert.equal(decodeJwt(tokens.access_token).aud, tools);
      assert.equal(await accessWith(site, tokens.access_token), '401 UNAUTHENTICATED');
      assert.deepEqual(await callTool(tokens.access_token), [200, 'pro']);
      tokens = await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '', parameters);
    }
    const claims = openid.fetchUserInfo(application.config, tokens.access_token, person.id);
    await assert.rejects(claims, { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
  });

  test('a token for the site and an API key can be used for both', async () => {
    const { site, application, person } = scene();
    const { access_token } = await application.signIn(person.browser);
    assert.deepEqual(await callTool('no-token'), [401, undefined]);
    const { key } = await createApiKey(site.identity, { accountId: person.id, name: 'Key', scopes: [...SCOPES] });
    for (const token of [access_token, key]) {
      assert.equal(await accessWith(site, token), '200');
      assert.deepEqual(await callTool(token), [200, 'pro']);
    }
  });

  test('a request for another resource than the authorized one does not use up the code or token', async () => {
    const { site, application, person, tools } = scene();
    for (const [granted, other] of [
      [tools, site.url],
      [site.url, tools],
    ] as const) {
      const { code, verifier } = await application.askForCode(person.browser, { resource: granted });
      const redeem = (resource: string) =>
        postForm(`${site.url}/auth/oauth/token`, {
          grant_type: 'authorization_code',
          client_id: application.clientId,
          code,
          code_verifier: verifier,
          redirect_uri: CALLBACK,
          resource,
        });
      const refused = await redeem(other);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_target']);
      assert.match(String(refused.body.error_description), /must be the one of the authorization request/);
      const { body } = await redeem(granted);
      assert.equal(decodeJwt(String(body.access_token)).aud, granted);
      const refresh = (resource: string) =>
        openid.refreshTokenGrant(application.config, String(body.refresh_token), { resource });
      await assert.rejects(refresh(other), { error: 'invalid_target' });
      assert.equal(decodeJwt((await refresh(granted)).access_token).aud, granted);
    }
  });

  test('refuses several resources and names those that exist', async () => {
    const { site, application, person, tools } = scene();
    const address = openid.buildAuthorizationUrl(application.config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    for (const resources of [[site.url, tools], [tools, 'https://evil.example/mcp'], [`${tools}/x`]]) {
      address.searchParams.delete('resource');
      for (const resource of resources) address.searchParams.append('resource', resource);
      const { searchParams } = await person.browser.authorize(address);
      assert.equal(searchParams.get('error'), 'invalid_target');
      assert.equal(
        searchParams.get('error_description'),
        `resource must be ${site.url} or ${tools}, and only one of them`,
      );
    }
  });

  test('the consent page lists what an application can do with the tools', async () => {
    const { site, application, person, tools } = scene();
    const consentFor = async (resource: string) => {
      let url: URL | undefined;
      let response = await person.browser.get(
        openid.buildAuthorizationUrl(application.config, {
          redirect_uri: CALLBACK,
          scope: 'openid',
          resource,
          code_challenge: 'a'.repeat(43),
          code_challenge_method: 'S256',
        }),
      );
      for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
        url = new URL(location, site.url);
        response = await person.browser.get(url);
      }
      return response.text();
    };
    const [whole, some] = [await consentFor(site.url), await consentFor(tools)];
    assert.match(whole, /create API keys/);
    assert.match(some, /use the tools that Almanac offers to agents on your behalf/);
    assert.doesNotMatch(some, /delete|create API keys|sign out your browsers/);
    assert.match(some, /a program on this device \(127\.0\.0\.1:54321\)/);
  });
}
