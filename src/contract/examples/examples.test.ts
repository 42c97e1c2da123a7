import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from '../openapi.ts';
import type { Operation } from '../operation.ts';
import { type OperationId, operations } from '../operations.ts';
import { EXAMPLE_CALLERS, GIVEN_VARIABLES } from './example.ts';
import { EXAMPLES } from './examples.ts';
import { RECORDED } from './recorded.ts';
import { EXAMPLE_RUN } from './run.ts';
import { showExample } from './show-example.ts';
import { listVariables } from './variables.ts';

const all = Object.entries<Operation>(operations) as [OperationId, Operation][];

test('the run contains the example of every operation', () => {
  const missing = all.map(([id]) => id).filter((id) => !EXAMPLE_RUN.includes(id));
  assert.deepEqual(missing, []);
});

test('each variable is given, or an earlier step of the run keeps it', () => {
  const known = new Set<string>(Object.keys(GIVEN_VARIABLES));
  for (const step of EXAMPLE_RUN) {
    const id = typeof step === 'string' ? step : step.of;
    const {
      caller = 'account',
      keeps = {},
      keepsCookie,
      ...request
    } = typeof step === 'string' ? EXAMPLES[id] : step.example;
    const used = [...listVariables(request), ...(caller === null ? [] : [EXAMPLE_CALLERS[caller].variable])];
    for (const name of used) assert.ok(known.has(name), `${id} uses ${name}`);
    for (const name of [...Object.keys(keeps), ...(keepsCookie ? [keepsCookie] : [])]) known.add(name);
  }
  assert.deepEqual(Object.keys(RECORDED.variables).sort(), [...known].sort());
});

for (const [id, op] of all) {
  test(`the example of ${id} is a valid request, and its recorded response has the form of the contract`, () => {
    const { params, query, request, response } = showExample(id);
    assert.deepEqual(Object.keys(params), Object.keys(op.params?.shape ?? {}));
    // The parsers of queries read text, as it is in an address.
    const sent = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    op.params?.parse(params);
    op.query?.parse(sent);
    op.body?.parse(request?.value);
    assert.equal(request !== null, op.body !== undefined || op.upload !== undefined);
    assert.deepEqual(listVariables({ params, query, request }), [], 'every variable has a recorded value');

    if (op.archive) return assert.equal(response, null);
    assert.ok(response);
    if (response.mediaType === 'application/json') op.reply.body.parse(response.value);
    else assert.ok(op.attachment || op.stream, response.mediaType);
  });
}

interface Described {
  readonly parameters: readonly { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}
type Content = Readonly<Record<string, { readonly example?: unknown }>>;

test('the document shows the request and the response of each example', () => {
  const { paths } = buildOpenApi('https://almanac.example') as { paths: Record<string, Record<string, Described>> };
  for (const [id, op] of all) {
    const { params, query, request, response } = showExample(id);
    const described = paths[op.path]?.[op.method.toLowerCase()];
    const shown = described?.parameters.filter((parameter) => 'example' in parameter);
    assert.deepEqual(
      Object.fromEntries(shown?.map(({ name, example }) => [name, example]) ?? []),
      { ...params, ...query },
      id,
    );
    if (request) assert.deepEqual(described?.requestBody?.content[request.mediaType]?.example, request.value, id);
    if (response) {
      assert.deepEqual(described?.responses[op.status]?.content[response.mediaType]?.example, response.value, id);
    }
  }
});
