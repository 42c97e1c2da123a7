import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CATALOG } from './error-catalog.ts';
import { buildOpenApi, listErrors } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { usesSearchEnvelope } from './replies.ts';

interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: unknown }[];
  readonly requestBody?: { content: unknown };
  readonly responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  readonly description: string;
  readonly content: Record<string, { schema: unknown }>;
  readonly $ref?: string;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: {
    readonly securitySchemes: unknown;
    readonly responses: Record<string, DescribedResponse & { readonly headers: object }>;
    readonly schemas: Record<string, unknown>;
  };
}

const SITE = 'https://almanac.example';
const document = buildOpenApi(SITE) as unknown as Document;
const all = Object.entries<Operation>(operations);

test('names its versions and the address of the service', () => {
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '1.0.0');
  assert.deepEqual(document.servers, [{ url: 'https://almanac.example/api' }]);
});

test('describes the security schemes', () => {
  assert.partialDeepStrictEqual(document.components.securitySchemes, {
    bearer: { type: 'http', scheme: 'bearer' },
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://almanac.example/auth/oauth/authorize',
          tokenUrl: 'https://almanac.example/auth/oauth/token',
          refreshUrl: 'https://almanac.example/auth/oauth/token',
          scopes: {
            openid: 'Identify the account',
            profile: 'Resolve the account profile',
            email: 'Verify the account email',
            offline_access: 'Refresh access after expiry',
          },
        },
      },
    },
  });
  const { oauth2 } = document.components.securitySchemes as { oauth2: { description: string } };
  assert.match(oauth2.description, /PKCE \(S256\).*resource=https:\/\/almanac\.example/);
  assert.partialDeepStrictEqual(document.components.securitySchemes, {
    session: { type: 'apiKey', in: 'cookie', name: '__Host-almanac_session' },
    guest: { type: 'apiKey', in: 'cookie', name: '__Host-almanac_guest' },
  });
  const names = Object.keys(document.components.securitySchemes as object);
  assert.deepEqual(names, ['bearer', 'oauth2', 'session', 'guest']);
});

test('describes every group of operations', () => {
  assert.deepEqual(document.tags.map(({ name }) => name).sort(), [...new Set(all.map(([, op]) => op.group))].sort());
  for (const { name, description } of document.tags) assert.match(description, /^[A-Z].+\.$/, name);
});

test('accepts the cookie of a guest where guests may call, and nothing else for prepare-save', () => {
  const acceptsGuests = (path: string, method: string) =>
    document.paths[path]?.[method]?.security.some((scheme) => 'guest' in scheme);
  assert.ok(acceptsGuests('/v1/ensemble-forecasts', 'post'));
  assert.ok(acceptsGuests('/v1/market-search', 'post'));
  assert.ok(acceptsGuests('/v1/me/usage', 'get'));
  assert.ok(!acceptsGuests('/v1/me/access', 'get'));
  assert.ok(!acceptsGuests('/v1/ensemble-forecasts/{forecast_id}/save', 'post'));
  const prepare = document.paths['/v1/ensemble-forecasts/{forecast_id}/prepare-save']?.post;
  assert.deepEqual(prepare?.security, [{ guest: [] }]);
  assert.ok(prepare && !('x-required-scope' in prepare), 'a guest has no scopes');
});

test('every operation documents the response to an unsupported method, with the error body of its path', () => {
  for (const [id, op] of all) {
    const { $ref } = document.paths[op.path]?.[op.method.toLowerCase()]?.responses[405] ?? {};
    const name = usesSearchEnvelope(op.path) ? 'SearchMethodNotAllowed' : 'MethodNotAllowed';
    assert.equal($ref, `#/components/responses/${name}`, id);
  }
  const { MethodNotAllowed: resource, SearchMethodNotAllowed: search } = document.components.responses;
  assert.match(resource?.description ?? '', /^METHOD_NOT_ALLOWED: /);
  assert.ok(resource && 'Allow' in resource.headers);
  assert.deepEqual(resource?.content['application/json']?.schema, { $ref: '#/components/schemas/Error' });
  assert.deepEqual(search?.content['application/json']?.schema, { $ref: '#/components/schemas/SearchError' });
});

test('describes the fields of a receipt', () => {
  const { Receipt } = document.components.schemas as Record<string, { properties: object; required: string[] }>;
  assert.partialDeepStrictEqual(document.components.schemas.TimestampReceipt, {
    properties: { receipt: { anyOf: [{ $ref: '#/components/schemas/Receipt' }, { type: 'null' }] } },
  });
  const cid = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
  assert.partialDeepStrictEqual(Receipt?.properties, {
    object_cid: cid,
    set_cid: cid,
    transaction_hash: cid,
    user_address: { type: ['string', 'null'] },
    user_label: { type: 'string' },
    chain_id: { type: 'integer' },
    timestamp: { type: 'string', format: 'date-time' },
  });
  assert.ok(!Receipt?.required.includes('user_label'), 'only recovery returns it');
});

test('every operation has a unique method and path under one of the two prefixes', () => {
  const addresses = all.map(([, op]) => `${op.method} ${op.path.replaceAll(/\{\w+\}/g, '{}')}`);
  assert.deepEqual(
    addresses.filter((address, index) => addresses.indexOf(address) !== index),
    [],
  );
  for (const [id, op] of all) assert.match(op.path, /^\/(v1|market-data)(\/([a-z0-9-]+|\{[a-z_]+\}))+$/, id);
});

test('describes exactly the operations of the contract', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), all.map(([id, op]) => `${id}: ${op.method} ${op.path}`).sort());
});

for (const [id, op] of all) {
  const described = document.paths[op.path]?.[op.method.toLowerCase()];

  test(`${id} declares its parameters, its success response and every error`, () => {
    assert.ok(described);
    const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = described.parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(declared.map(({ name }) => name).sort(), inPath.sort());
    assert.ok(declared.every(({ required }) => required));
    assert.equal(described.requestBody !== undefined, op.body !== undefined || op.upload !== undefined);

    const success = Object.keys(described.responses).filter((status) => status.startsWith('2'));
    assert.deepEqual(success, op.stream ? ['200', '204'] : [String(op.status)]);
    for (const [status, { content, $ref }] of Object.entries(described.responses)) {
      if ($ref !== undefined) continue;
      // 204 and 304 have no body; a stream or a file is not JSON.
      const fileType = op.archive ? 'application/zip' : 'text/csv';
      const special = op.stream ? 'text/event-stream' : op.attachment === 'always' ? fileType : 'application/json';
      const type = status === '200' ? special : 'application/json';
      if (status !== '204' && status !== '304') assert.ok(content[type]?.schema, status);
    }
    assert.equal('304' in described.responses, op.versioned === true);
    for (const code of listErrors(op)) {
      const { description = '' } = described.responses[ERROR_CATALOG[code].status] ?? {};
      assert.ok(description.includes(`${code}: `), code);
    }
    for (const status of ['400', '429', '500', '503']) assert.ok(described.responses[status], status);
  });
}

test('an operation that needs an account declares credentials and their errors', () => {
  const { readAccess, createSession, endSession, createApiKey, revokeApiKey } = operations;
  const access = document.paths['/v1/me/access']?.get;
  assert.deepEqual(access?.security, [{ bearer: [] }, { oauth2: [] }, { session: [] }]);
  assert.deepEqual(document.paths['/v1/sessions']?.post?.security, [{}]);
  const expected = (op: Operation, codes: string[]) => assert.deepEqual(listErrors(op).sort(), codes.sort());
  const common = ['INVALID_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
  const account = [...common, 'UNAUTHENTICATED', 'SCOPE_DENIED', 'PLAN_REQUIRED', 'ACCOUNT_REQUIRED'];
  const body = ['ORIGIN_DENIED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
  expected(readAccess, account);
  expected(createSession, [...common, ...body, 'UNAUTHENTICATED']);
  expected(endSession, [...common, 'ORIGIN_DENIED', 'TOO_LARGE']);
  expected(createApiKey, [...account, ...body, 'LIMIT_REACHED']);
  expected(revokeApiKey, [...account, 'ORIGIN_DENIED', 'TOO_LARGE', 'NOT_FOUND']);
});

test('only operations that start a forecast declare an Idempotency-Key', () => {
  const declaring = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'Idempotency-Key').map((parameter) => ({ operationId, parameter })),
    );
  assert.deepEqual(declaring.map(({ operationId }) => operationId).sort(), ['createForecast', 'reproduceForecast']);
  for (const { operationId, parameter } of declaring) {
    assert.partialDeepStrictEqual(parameter, {
      in: 'header',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
    });
    assert.ok(listErrors(operations[operationId as keyof typeof operations]).includes('IDEMPOTENCY_MISMATCH'));
  }
});

test('operations that change a forecast or remove it declare If-Match', () => {
  const declaring = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'If-Match'));
  assert.deepEqual(declaring.map(({ operationId }) => operationId).sort(), ['deleteForecast', 'updateForecast']);
  for (const { responses } of declaring) assert.match(responses['412']?.description ?? '', /^PRECONDITION_FAILED: /);
});

test('every reference in the document resolves', () => {
  const broken: string[] = [];
  let seen = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') {
        seen += 1;
        if (resolve(String(value)) === undefined) broken.push(String(value));
      } else visit(value);
    }
  };
  visit(document);
  assert.deepEqual(broken, []);
  assert.ok(seen > all.length, 'references were found');
});

function resolve(reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = document;
  for (const step of reference.slice(2).split('/')) node = (node as Record<string, unknown> | undefined)?.[step];
  return node;
}

test('is plain JSON with every named schema under components', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  assert.ok(!JSON.stringify(document).includes('$defs'));
});
