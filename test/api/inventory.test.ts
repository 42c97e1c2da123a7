import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { servedRoutes } from '../support/api/served-routes.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

/** The routes besides the API and its documents. No other page may exist. */
const PAGES = `
  GET /health/live
  GET /health/ready
  GET /auth/oauth/authorize
  POST /auth/oauth/authorize
  GET /auth/oauth/authorize/:uid
  POST /auth/oauth/token
  POST /auth/oauth/revoke
  GET /auth/oauth/jwks
  GET /auth/oauth/userinfo
  POST /auth/oauth/userinfo
  GET /auth/.well-known/openid-configuration
  GET /auth/.well-known/oauth-authorization-server
  GET /.well-known/openid-configuration/auth
  GET /.well-known/oauth-authorization-server/auth
  GET /.well-known/oauth-protected-resource
  GET /.well-known/oauth-protected-resource/api
  GET /.well-known/oauth-protected-resource/mcp
  GET /auth/sign-in
  POST /auth/sign-in
  GET /auth/signed-in
  GET /auth/sign-out
  POST /auth/sign-out
  GET /auth/sign-up
  POST /auth/sign-up
  GET /auth/sign-up/sent
  GET /auth/sign-up/confirm
  POST /auth/sign-up/confirm
  GET /auth/verify
  POST /auth/verify
  GET /auth/forgot
  POST /auth/forgot
  GET /auth/forgot/sent
  GET /auth/reset
  POST /auth/reset
  GET /auth/invitation
  POST /auth/invitation
  GET /auth/interaction/:uid
  POST /auth/interaction/:uid
  GET /auth/account
  GET /auth/account/usage
  GET /auth/account/keys
  POST /auth/account/keys
  GET /auth/account/keys/revoke
  GET /auth/account/sessions
  GET /auth/account/applications
  GET /auth/account/applications/revoke
  GET /auth/account/feeds
  GET /auth/account/feeds/new
  POST /auth/account/feeds/new
  GET /auth/account/feeds/delete
  POST /auth/account/feeds/delete
  GET /auth/account/security
  GET /auth/account/password
  POST /auth/account/password
  POST /auth/account/verification
  POST /auth/account/sessions/end
  POST /auth/account/sessions/end-others
  POST /auth/account/applications/revoke
  POST /auth/account/keys/revoke
  GET /auth/account/notifications
  POST /auth/account/notifications
  GET /auth/account/webhooks
  POST /auth/account/webhooks
  GET /auth/account/webhooks/:id
  POST /auth/account/webhooks/:id
  POST /auth/account/webhooks/:id/test
  POST /auth/account/webhooks/:id/replay
  POST /auth/account/webhooks/:id/state
  GET /auth/account/webhooks/:id/rotate
  POST /auth/account/webhooks/:id/rotate
  GET /auth/account/webhooks/:id/delete
  POST /auth/account/webhooks/:id/delete
  GET /auth/account/export
  GET /auth/account/export/download
  GET /auth/account/erase
  POST /auth/account/erase
  GET /auth/farewell
  GET /screener
  GET /screener/new
  POST /screener/new
  GET /screener/mails
  POST /screener/mails
  GET /screener/:id
  GET /screener/:id/edit
  POST /screener/:id/edit
  GET /screener/:id/email
  POST /screener/:id/email
  GET /screener/:id/delete
  POST /screener/:id/delete
  GET /screener/unsubscribe
  POST /screener/unsubscribe
  GET /notifications/unsubscribe
  POST /notifications/unsubscribe
  GET /verify
  GET /verify/verify.js
  GET /verify/verdict.js
  GET /verify/document.js
  GET /verify/receipt.js
  GET /verify/content-id.js
  GET /verify/noble-hashes/sha3.js
  GET /verify/noble-hashes/_u64.js
  GET /verify/noble-hashes/utils.js
  GET /forecasts
  GET /forecasts/:slug
  GET /forecasts/:slug/chart.svg
  GET /forecasts/:slug/chart.png
  GET /forecasts/:slug/proof.json
  GET /embed/:slug
  GET /
  GET /assets/:file
  GET /search
  GET /series
  GET /series.csv
  GET /new
  POST /new
  GET /files
  GET /workspaces/:slug/webhooks
  POST /workspaces/:slug/webhooks
  GET /workspaces/:slug/webhooks/:id
  POST /workspaces/:slug/webhooks/:id
  POST /workspaces/:slug/webhooks/:id/test
  POST /workspaces/:slug/webhooks/:id/replay
  POST /workspaces/:slug/webhooks/:id/state
  GET /workspaces/:slug/webhooks/:id/rotate
  POST /workspaces/:slug/webhooks/:id/rotate
  GET /workspaces/:slug/webhooks/:id/delete
  POST /workspaces/:slug/webhooks/:id/delete
  GET /workspaces/:slug/files
  POST /workspaces/:slug/files
  GET /workspaces/:slug/files/:file
  GET /workspaces/:slug/files/:file/delete
  POST /workspaces/:slug/files/:file/delete
  GET /forecasts/:slug/cancel
  POST /forecasts/:slug/cancel
  GET /workspaces
  POST /workspaces
  POST /workspaces/invitations
  GET /workspaces/:slug
  GET /workspaces/:slug/invite
  POST /workspaces/:slug/invite
  GET /workspaces/:slug/members/:collaborator
  POST /workspaces/:slug/members/:collaborator
  GET /workspaces/:slug/members/:collaborator/remove
  POST /workspaces/:slug/members/:collaborator/remove
  GET /workspaces/:slug/leave
  POST /workspaces/:slug/leave
  GET /workspaces/:slug/settings
  POST /workspaces/:slug/settings
  GET /workspaces/:slug/transfer
  POST /workspaces/:slug/transfer
  GET /workspaces/:slug/delete
  POST /workspaces/:slug/delete
  GET /forecasts/:slug/delete
  POST /forecasts/:slug/delete
  GET /forecasts/:slug/outcome
  POST /forecasts/:slug/outcome
  GET /forecasts/:slug/prepare-save
  POST /forecasts/:slug/prepare-save
  GET /forecasts/:slug/questions
  POST /forecasts/:slug/questions
  GET /forecasts/:slug/rename
  POST /forecasts/:slug/rename
  GET /forecasts/:slug/replays
  POST /forecasts/:slug/replays
  GET /forecasts/:slug/reproduce
  POST /forecasts/:slug/reproduce
  GET /forecasts/:slug/save
  POST /forecasts/:slug/save
  GET /forecasts/:slug/visibility
  POST /forecasts/:slug/visibility
  GET /questions
  GET /questions/new
  POST /questions/new
  GET /questions/:slug
  GET /questions/:slug/revise
  POST /questions/:slug/revise
  GET /questions/:slug/resolve
  POST /questions/:slug/resolve
  GET /questions/:slug/annul
  POST /questions/:slug/annul
  GET /scoreboard
  GET /glossary
  POST /hints/dismiss
  POST /mcp
  GET /admin
  GET /admin/ledger
  GET /admin/users
  GET /admin/users/:id
  GET /admin/users/:id/plan
  POST /admin/users/:id/plan
  GET /admin/users/:id/lock
  POST /admin/users/:id/lock
  GET /admin/users/:id/administrator
  POST /admin/users/:id/administrator
`;

/** The files of the documentation page. */
const DOCS = /^GET \/(docs(\/.*)?|api\/openapi\.json)$/;

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

test('every route is an operation of the document or a listed page', async () => {
  const { paths } = (await api.app.inject('/api/openapi.json')).json<{ paths: Record<string, object> }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const pages = PAGES.trim().split(/\s*\n\s*/);
  const served = servedRoutes(api.app).filter((route) => !DOCS.test(route));
  assert.ok(documented.length > 20 && served.some((route) => route.includes('/:')));
  assert.deepEqual(served, [...documented, ...pages].sort());
});
