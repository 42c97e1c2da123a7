import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CATALOG } from './error-catalog.ts';
import { buildOpenApi, listErrors } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: unknown }[];
  readonly requestBody?: { content: unknown };
  readonly responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: { readonly securitySchemes: unknown; readonly schemas: Record<string, unknown> };
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
  assert.deepEqual(Object.keys(document.components.securitySchemes as object), ['bearer', 'oauth2', 'session']);
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
    for (const [status, { content }] of Object.entries(described.responses)) {
      // 204 and 304 have no body; a stream or a file is not JSON.
      const special = op.stream ? 'text/event-stream' : op.attachment === 'always' ? 'text/csv' : 'application/json';
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
