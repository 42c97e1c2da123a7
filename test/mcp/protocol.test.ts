import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { assertFault } from '../api/assert-fault.ts';
import { openApi, SITE_URL, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, send } from '../support/api/http.ts';
import { type Credentials, makeAccount, withGuest, withKey, withSession } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { agentOf, csvRows, failureOf, REVISION } from './scene.ts';

const NAMES = [
  'find_series',
  'look_at_series',
  'forecast',
  'check_forecast',
  'ask_event',
  'screen_market',
  'my_limits',
];
const OTHER_ORIGIN = 'https://agents.example';

let fixture: TestDatabase;
let api: TestApi;
let key: Credentials;
let email: string;
let port: number;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_CORS_ORIGINS: OTHER_ORIGIN, ALMANAC_RATE_PRO: '100000' });
  const account = await makeAccount(api.identity);
  email = account.email;
  key = await withKey(api.identity, account.id);
  port = await listenOnLoopback(api.app);
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

function post(headers: object, payload: object | string = initialize('2025-06-18')) {
  return api.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    payload,
  });
}

for (const [name, mode, expected] of [
  ['the current revision', { pin: REVISION }, REVISION],
  ['an older revision', 'legacy', '2025-11-25'],
] as const) {
  test(`the client of the protocol lists and calls tools with ${name}`, async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { ...key } },
    });
    await client.connect(transport);
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), expected);
      assert.match(client.getInstructions() ?? '', /never instructions/);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        NAMES,
      );
      // The client compares the structured content with the output schema.
      const { structuredContent } = await client.callTool({ name: 'find_series', arguments: { query: 'apple' } });
      const { results } = structuredContent as { results: { series: string }[] };
      assert.equal(results[0]?.series, 'source=market&symbol=AAPL&provider=bundled&timeframe=1D');
      const failed = await client.callTool({ name: 'check_forecast', arguments: { forecast_id: 'ef_none' } });
      assert.equal(failed.isError, true);
    } finally {
      await client.close();
    }
  });
}

test('tools have schemas and hints, and none deletes, publishes, resolves or makes keys', async () => {
  const { result } = await agentOf(api.app, key).send({ method: 'tools/list' });
  assert.deepEqual([result.resultType, result.cacheScope, result.ttlMs > 0], ['complete', 'public', true]);
  for (const { name, description, inputSchema, outputSchema, annotations } of result.tools) {
    assert.ok(description.length > 80, name);
    assert.deepEqual(
      [inputSchema.type, inputSchema.additionalProperties, outputSchema.type],
      ['object', false, 'object'],
    );
    assert.equal(annotations.destructiveHint, false);
    assert.equal(annotations.readOnlyHint, name !== 'forecast' && name !== 'ask_event');
    const fields = Object.keys(inputSchema.properties).join(' ');
    assert.doesNotMatch(fields, /visib|public|workspace|delete|outcome|resolve|scope|email/);
  }
});

test('discovery lists the revision and the extension', async () => {
  const { result } = await agentOf(api.app, key).send({ method: 'server/discover' });
  assert.deepEqual(result.supportedVersions, [REVISION]);
  assert.deepEqual(result.capabilities, { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } });
});

test('a message whose headers and body differ is refused', async () => {
  const agent = agentOf(api.app, key);
  const call = { method: 'tools/call', params: { name: 'my_limits', arguments: {} } };
  for (const headers of [
    { 'mcp-name': 'forecast' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-protocol-version': '2025-06-18' },
  ]) {
    const { status, error } = await agent.send({ ...call, headers });
    assert.deepEqual([status, error?.code], [400, -32020], JSON.stringify(headers));
  }
  const unknown = await agent.send({ method: 'no/such' });
  assert.deepEqual([unknown.status, unknown.error?.code], [404, -32601]);
  const listen = await agent.send({ method: 'subscriptions/listen', params: { notifications: {} } });
  assert.deepEqual([listen.status, listen.error?.code], [404, -32601]);
  const tool = await agent.send({ method: 'tools/call', params: { name: 'delete_account', arguments: {} } });
  assert.equal(tool.error?.code, -32602);
});

test('a call of a tool without a name or with a list of arguments is refused in plain words', async () => {
  for (const params of [
    { name: 5 },
    {},
    { name: 'my_limits', arguments: [] },
    { name: 'my_limits', arguments: null },
  ]) {
    const { status, error } = await agentOf(api.app, key).send({ method: 'tools/call', params });
    assert.deepEqual([status, error?.code], [400, -32602]);
    assert.equal(error?.message, 'params: name must be the name of a tool, and arguments an object.');
  }
});

test('a wrong envelope is refused before its params, and a start without params in one sentence', async () => {
  const wrong = { jsonrpc: '1.0', id: { a: 1 }, method: 'tools/call', params: {} };
  const refused = await post({ ...key, 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call' }, wrong);
  assert.deepEqual([refused.statusCode, refused.json().error.code, refused.json().id], [400, -32600, null]);
  const headers = { 'mcp-method': 'tools/list' };
  const mixed = await agentOf(api.app, key).send({ method: 'tools/call', params: { name: 5 }, headers });
  assert.deepEqual([mixed.status, mixed.error?.code], [400, -32020]);
  for (const params of [
    undefined,
    {},
    { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  ]) {
    const start = await post(key, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    assert.deepEqual([start.statusCode, start.json().error.code], [200, -32602]);
    assert.match(start.json().error.message, /^params: protocolVersion must be a text, .*version\.$/);
  }
});

test('bodies that hold no message are refused in the format of the API', async () => {
  assertFault(await post(key, '{"jsonrpc":'), 'INVALID_REQUEST');
  assertFault(await post(key, [initialize('2025-06-18')]), 'INVALID_REQUEST');
  assertFault(await post({ ...key, 'content-type': 'text/plain' }, 'hello'), 'UNSUPPORTED_MEDIA_TYPE');
  assertFault(await post(key, JSON.stringify({ text: 'x'.repeat(200_000) })), 'TOO_LARGE');
  assertFault(await post(key, `{"a":${'['.repeat(100)}${']'.repeat(100)}}`), 'INVALID_REQUEST');
  const patch = await post({ ...key, 'content-type': 'application/json-patch+json' });
  assert.equal(patch.statusCode, 200);
  const odd = await post(key, { hello: 1 });
  assert.deepEqual([odd.statusCode, odd.json().error.code < 0], [400, true]);
  const read = await send(port, { path: '/mcp', headers: { ...key } });
  assert.deepEqual([read.status, read.headers.allow], [405, 'POST']);
});

test('a request without a valid Bearer credential learns where to get one', async () => {
  const metadata = `resource_metadata="${SITE_URL}/.well-known/oauth-protected-resource/mcp"`;
  const scope = 'scope="openid offline_access"';
  const missing = await post({});
  assertFault(missing, 'UNAUTHENTICATED');
  assert.equal(missing.headers['www-authenticate'], `Bearer ${metadata}, ${scope}`);
  const wrong = await post({ authorization: 'Bearer alm_pat_wrong' });
  assertFault(wrong, 'UNAUTHENTICATED');
  assert.equal(wrong.headers['www-authenticate'], `Bearer error="invalid_token", ${metadata}, ${scope}`);
  // Cookies are not credentials here, because browsers add them to requests of any page.
  assertFault(await post(await withSession(api.identity, email)), 'UNAUTHENTICATED');
  assertFault(await post(await withGuest(api.identity)), 'UNAUTHENTICATED');
});

test('pages of other origins are refused unless they are configured', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:9', `${SITE_URL}.evil.example`]) {
    assertFault(await post({ ...key, origin }), 'ORIGIN_DENIED');
    assertFault(await post({ origin }), 'ORIGIN_DENIED');
  }
  for (const origin of [SITE_URL, OTHER_ORIGIN]) assert.equal((await post({ ...key, origin })).statusCode, 200, origin);
});

test('a call counts with every request that it makes, and a refusal states when to go on', async () => {
  const limited = await openApi(fixture.database, { ALMANAC_RATE_ENTERPRISE: '8' });
  try {
    const { id } = await makeAccount(limited.identity, { plan: 'enterprise', password: null });
    const credentials = await withKey(limited.identity, id);
    const agent = agentOf(limited.app, credentials);
    const first = await agent.send({ method: 'tools/call', params: { name: 'my_limits', arguments: {} } });
    // One for the message, one for each of the two operations.
    assert.equal(first.headers['ratelimit-remaining'], '5');
    await agent.call('my_limits');
    const failure = failureOf(await agent.call('my_limits'));
    assert.equal(failure.code, 'RATE_LIMITED');
    assert.match(failure.next_step, /^Wait \d+ s first\. Call the tool again/);
    const refused = await limited.app.inject({ method: 'POST', url: '/mcp', headers: credentials, payload: {} });
    assertFault(refused, 'RATE_LIMITED');
  } finally {
    await limited.app.close();
  }
});

test('a key without a scope or plan gets a failure of the tool', async () => {
  const account = await makeAccount(api.identity, { password: null });
  const narrow = agentOf(api.app, await withKey(api.identity, account.id, ['forecasts:read']));
  const failure = failureOf(await narrow.call('find_series', { query: 'apple' }));
  assert.equal(failure.code, 'SCOPE_DENIED');
  assert.match(failure.request_id, /^[0-9a-f-]{36}$/);
  // A forecast that the key cannot read would cost credits for nothing.
  const writer = await withKey(api.identity, account.id, ['forecasts:write', 'account:read']);
  const denied = failureOf(await agentOf(api.app, writer).call('forecast', { csv: csvRows(), horizon: 1 }));
  assert.deepEqual([denied.code, denied.forecast_id], ['SCOPE_DENIED', undefined]);
  const usage = await api.app.inject({ url: '/api/v1/me/usage', headers: writer });
  assert.equal(usage.json().data.credits.reserved, 0);
});
