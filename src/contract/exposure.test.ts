import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from './openapi.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Schema = { readonly [name: string]: Json };

const document = JSON.parse(JSON.stringify(buildOpenApi('https://almanac.example'))) as {
  readonly paths: Record<string, Record<string, { parameters: Json; requestBody?: Json; responses: Json }>>;
  readonly components: { readonly schemas: Record<string, Json> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Returns every schema within a part of the document, with its path. References are followed once. */
function schemasOf(part: Json | undefined, path: string, seen = new Set<string>()): [path: string, Schema][] {
  if (Array.isArray(part)) return part.flatMap((item, index) => schemasOf(item, `${path}/${index}`, seen));
  if (typeof part !== 'object' || part === null) return [];
  const reference = typeof part.$ref === 'string' ? part.$ref.replace('#/components/schemas/', '') : undefined;
  if (reference !== undefined && !seen.has(reference)) {
    seen.add(reference);
    return schemasOf(document.components.schemas[reference], reference, seen);
  }
  const below = Object.entries(part).flatMap(([name, value]) => schemasOf(value, `${path}/${name}`, seen));
  return [[path, part], ...below];
}

const requests = operations.flatMap(({ parameters, requestBody }, index) =>
  schemasOf([parameters, requestBody ?? null], `request/${index}`),
);
const responses = operations.flatMap((operation, index) => schemasOf(operation.responses, `response/${index}`));

test('no object of a request or response allows undescribed fields', () => {
  const objects = [...requests, ...responses].filter(([, { type, properties }]) => type === 'object' && properties);
  assert.ok(objects.length > 100, `${objects.length} objects`);
  const open = objects.filter(([, { additionalProperties }]) => additionalProperties !== false);
  assert.deepEqual(
    open.map(([path]) => path),
    [],
  );
});

test('no request has a field for a value that only the service sets', () => {
  const serviceFields = [
    'plan',
    'administrator',
    'email_verified',
    'owner',
    'account_id',
    'user_id',
    'secret_hash',
    'status',
  ];
  const fields = namesIn(requests);
  assert.ok(fields.length > 50);
  // Administrators set these two of other accounts. The operation needs a browser session of an administrator.
  const administered = operations.indexOf(document.paths['/v1/admin/users/{user_id}']?.patch as (typeof operations)[0]);
  const isAdministered = (path: string, name: string) =>
    path.startsWith(`request/${administered}/`) && ['plan', 'administrator'].includes(name);
  assert.deepEqual(
    fields.filter(([path, name]) => serviceFields.includes(name) && !isAdministered(path, name)),
    [],
  );
});

test('no response has a field for a password or the hash of a secret', () => {
  const fields = namesIn(responses);
  assert.ok(
    fields.some(([, name]) => name === 'key'),
    'the search finds fields',
  );
  const isAllowed = (path: string, name: string) =>
    // The name of a public transaction, and the time of a change.
    ['transaction_hash', 'secret_rotated_at'].includes(name) ||
    // Receivers check signatures with it. It is shown once, as an API key is.
    (path === 'WebhookWithSecret' && name === 'secret');
  assert.deepEqual(
    fields.filter(([path, name]) => /password|secret|hash$/.test(name) && !isAllowed(path, name)),
    [],
  );
});

test('no request has a field for a URL that the service would fetch, except that of a webhook', () => {
  const parameters = requests.flatMap(([path, { in: location, name }]) =>
    location && typeof name === 'string' ? [[path, name] as const] : [],
  );
  const fields = [...parameters, ...namesIn(requests)];
  assert.ok(['forecast_id', 'source'].every((known) => fields.some(([, name]) => name === known)));
  assert.deepEqual(
    fields.filter(([, name]) => /(^|_)(ur[il]|href|link|host|callback|webhook|endpoint)s?$/.test(name)).map(String),
    ['WebhookBody,url', 'WebhookChange,url', 'WebhookBody,url', 'WebhookChange,url'],
  );
  assert.ok(!requests.some(([, { format }]) => typeof format === 'string' && /^ur[il]/.test(format)));
});

/** Returns every field of every object, with the path of the object. */
function namesIn(schemas: readonly (readonly [string, Schema])[]): [path: string, name: string][] {
  return schemas.flatMap(([path, { properties }]) =>
    Object.keys(properties ?? {}).map((name): [string, string] => [path, name]),
  );
}
