import * as oauth from 'openid-client';
import { oauthBrowser } from '../../../test/support/identity/oauth-browser.ts';
import { ANYONE, type Scene } from './scene.ts';

export const PASSWORD = 'a password of the fixture';

const CALLBACK = 'http://127.0.0.1:54321/callback';

/** Creates the accounts with their keys, sessions and applications, and a guest. */
export async function createAccounts(scene: Scene): Promise<void> {
  const create = async (name: string, ...options: string[]) => {
    const input = options.includes('-') ? `${PASSWORD}\n` : undefined;
    const { id } = await scene.command<{ id: string }>(['user', 'create', `${name}@example.org`, ...options], input);
    return scene.setId(`account:${name}`, id);
  };
  const withKey = async (name: string, ...options: string[]) => {
    const { key } = await scene.command<{ key: string }>(['key', 'create', `${name}@example.org`, ...options]);
    scene.addKey(name, key);
  };
  const paid = ['--plan', 'pro', '--verified'];
  await create('ada', '--plan', 'enterprise', '--verified', '--password', '-');
  await create('grace', ...paid);
  await create('hugo', ...paid);
  await create('nora', '--password', '-');
  await create('frank', ...paid, '--password', '-');
  await create('admin', '--administrator', '--verified', '--password', '-');
  await create('locked', ...paid, '--password', '-');
  await withKey('ada');
  await withKey('grace', '--service', '--name', 'Nightly report');
  await withKey('hugo', '--expires', '2099-01-01T00:00:00Z');
  await scene.command(['user', 'lock', 'locked@example.org']);

  for (const [caller, account] of [
    ['session', 'ada'],
    ['other session', 'ada'],
    ['nora', 'nora'],
    ['frank', 'frank'],
    ['admin', 'admin'],
  ] as const) {
    scene.addCookie(caller, await signIn(scene, account));
  }
  const limited = { name: 'Reader', scopes: ['datasets:read', 'forecasts:read'] };
  const { key } = await scene.send<{ key: string }>('ada', 'POST', '/v1/me/api-keys', limited);
  scene.addKey('reader', key);
  const { id } = await scene.send<{ id: string }>('ada', 'POST', '/v1/me/api-keys', { ...limited, name: 'Revoked' });
  await scene.send('ada', 'DELETE', `/v1/me/api-keys/${id}`);
  await scene.request('nora', 'POST', '/v1/me/verification');
  scene.addCookie('guest', await scene.request(ANYONE, 'POST', '/v1/guest-sessions'));
}

function signIn(scene: Scene, account: string): Promise<Response> {
  return scene.request(ANYONE, 'POST', '/v1/sessions', {
    body: JSON.stringify({ email: `${account}@example.org`, password: PASSWORD }),
    headers: { 'content-type': 'application/json' },
  });
}

/** Connects an application with the account of Ada. Its refresh token is not used afterwards. */
export async function connectApplication(scene: Scene): Promise<{ client_id: string; refresh_token: string }> {
  const { client_id } = await scene.command<{ client_id: string }>([
    ...['client', 'create', 'Harbor Charts', '--redirect-uri', 'http://127.0.0.1/callback'],
  ]);
  const { url } = scene.service;
  const settings = await oauth.discovery(new URL(`${url}/auth`), client_id, undefined, oauth.None(), {
    execute: [oauth.allowInsecureRequests],
  });
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const address = oauth.buildAuthorizationUrl(settings, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    resource: url,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await oauthBrowser(url, scene.headersOf('session').cookie).authorize(address);
  const { refresh_token } = await oauth.authorizationCodeGrant(settings, callback, { pkceCodeVerifier });
  if (refresh_token === undefined) throw new Error('The application got no refresh token.');
  return { client_id, refresh_token };
}

/** Erases the account of Frank, whose public forecast stays without an owner. */
export async function eraseAccount(scene: Scene): Promise<void> {
  await scene.send('frank', 'DELETE', '/v1/me', { current_password: PASSWORD, keep_public: 'all' });
  delete scene.callers.frank;
  const kept = scene.forecasts.get('without_owner')?.id ?? '';
  scene.forecasts.set('without_owner', { id: kept, caller: 'ada' });
}
