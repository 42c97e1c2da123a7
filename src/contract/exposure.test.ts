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

/** Every schema below a part of the document, with its place. References are followed once. */
function schemasOf(part: Json | undefined, place: string, seen = new Set<string>()): [place: string, Schema][] {
  if (Array.isArray(part)) return part.flatMap((item, index) => schemasOf(item, `${place}/${index}`, seen));
  if (typeof part !== 'object' || part === null) return [];
  const reference = typeof part.$ref === 'string' ? part.$ref.replace('#/components/schemas/', '') : undefined;
  if (reference !== undefined && !seen.has(reference)) {
    seen.add(reference);
    return schemasOf(document.components.schemas[reference], reference, seen);
  }
  const below = Object.entries(part).flatMap(([name, value]) => schemasOf(value, `${place}/${name}`, seen));
  return [[place, part], ...below];
}

const asked = operations.flatMap(({ parameters, requestBody }, index) =>
  schemasOf([parameters, requestBody ?? null], `asked/${index}`),
);
const answered = operations.flatMap(({ responses }, index) => schemasOf(responses, `answered/${index}`));

test('no object that is asked or answered has room for a field that is not described', () => {
  const objects = [...asked, ...answered].filter(([, { type, properties }]) => type === 'object' && properties);
  assert.ok(objects.length > 100, `${objects.length} objects`);
  const open = objects.filter(([, { additionalProperties }]) => additionalProperties !== false);
  assert.deepEqual(
    open.map(([place]) => place),
    [],
  );
});

test('no request sets what only the service decides', () => {
  const decided = [
    'plan',
    'administrator',
    'email_verified',
    'owner',
    'account_id',
    'user_id',
    'secret_hash',
    'status',
  ];
  const fields = namesIn(asked);
  assert.ok(fields.length > 50);
  assert.deepEqual(
    fields.filter(([, name]) => decided.includes(name)),
    [],
  );
});

test('no answer has a field for a password or for the hash of a secret', () => {
  const fields = namesIn(answered);
  assert.ok(
    fields.some(([, name]) => name === 'key'),
    'the search finds things',
  );
  assert.deepEqual(
    fields.filter(([, name]) => /password|secret|hash$/.test(name)),
    [],
  );
});

test('no request names an address for the service to ask', () => {
  const parameters = asked.flatMap(([, { in: where, name }]) => (where && typeof name === 'string' ? [name] : []));
  const fields = [...parameters, ...namesIn(asked).map(([, name]) => name)];
  assert.ok(parameters.includes('forecast_id') && fields.includes('source'));
  assert.deepEqual(
    fields.filter((name) => /(^|_)(ur[il]|href|link|host|callback|webhook|endpoint)s?$/.test(name)),
    [],
  );
  assert.ok(!asked.some(([, { format }]) => typeof format === 'string' && /^ur[il]/.test(format)));
});

/** Every field of every object, with the place of the object. */
function namesIn(schemas: readonly (readonly [string, Schema])[]): [place: string, name: string][] {
  return schemas.flatMap(([place, { properties }]) =>
    Object.keys(properties ?? {}).map((name): [string, string] => [place, name]),
  );
}
