import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { CALLERS, type CallerName } from './callers.ts';
import { type Headers, HOSTILE_HEADERS } from './hostile-headers.ts';
import { encodeSomeLetters, HOSTILE_QUERIES, HOSTILE_SEGMENTS } from './hostile-paths.ts';
import { corrupted, mutated } from './mutations.ts';
import type { ApiOperation, OpenApiDocument } from './openapi.ts';
import { valuesOf } from './schema-arbitrary.ts';

/** A path parameter: an encoded text, or an index into the ids that responses have shown so far. */
export type Segment = { readonly text: string } | { readonly known: number };

/** A request before it is sent. Credentials and known ids are filled in when it is sent. */
export interface FuzzRequest {
  readonly service: 'plain' | 'proxied';
  readonly method: string;
  readonly path: readonly (string | Segment)[];
  readonly query: string;
  readonly caller: CallerName;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
  readonly chunked: boolean;
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/merge-patch+json'];
const OTHER_TYPES = [
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
  'application/xml',
  'nonsense',
  ';',
  'a/b; c=", d',
  '*/*',
  'application/json, application/json',
];

/** Generates requests of one operation: valid, mutated and hostile ones. */
export function requestsOf(
  operation: ApiOperation,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<FuzzRequest> {
  return fc
    .tuple(
      fc.constantFrom('plain' as const, 'proxied' as const),
      fc.constantFrom(...methodsOf(operation)),
      pathsOf(operation, document, known),
      often('', HOSTILE_QUERIES),
      fc.constantFrom(...CALLERS),
      bodiesOf(operation, document, known),
      often({}, HOSTILE_HEADERS),
      fc.boolean(),
    )
    .map(([service, method, path, query, caller, { body, headers }, hostile, chunked]) => ({
      service,
      method,
      path,
      query,
      caller,
      headers: { ...headers, ...hostile },
      body,
      chunked,
    }));
}

/** GET routes serve HEAD as well, although the document does not list it. */
function methodsOf({ method, responses }: ApiOperation): string[] {
  // A stream has no HEAD: its length is not known before its end.
  const isStream = responses.get(200) !== undefined && responses.get(200)?.schema === undefined;
  return method === 'GET' && !isStream ? ['GET', 'GET', 'GET', 'HEAD'] : [method];
}

/** Generates the usual value three quarters of the time. */
function often<T>(usual: T, others: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

function pathsOf(
  { path, parameters }: ApiOperation,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<(string | Segment)[]> {
  const parts = path
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part): Arbitrary<string | Segment> => {
      const parameter = parameters.find(({ name }) => part === `{${name}}`);
      if (!parameter) return often(part, encodeSomeLetters(part));
      const valid = valuesOf(parameter.schema, document, known).map((value) => ({
        text: encodeSegment(String(value)),
      }));
      return fc.oneof(
        fc.nat().map((index) => ({ known: index })),
        valid,
        HOSTILE_SEGMENTS.map((text) => ({ text })),
      );
    });
  return fc.tuple(...parts);
}

/** Replaces lone surrogates, which cannot be encoded; the hostile segments have their bytes. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '-';
}

function bodiesOf(
  { body, method }: ApiOperation,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<{ body: Buffer | undefined; headers: Headers }> {
  const values = body ? valuesOf(body, document, known) : fc.jsonValue({ maxDepth: 2 });
  const texts = values.map((value) => JSON.stringify(value));
  const jsonType = fc.constantFrom(...JSON_TYPES).map((type): Headers => ({ 'content-type': type }));
  const oddType = fc.oneof(
    fc.constantFrom(...OTHER_TYPES).map((type): Headers => ({ 'content-type': type })),
    fc.constant<Headers>({}),
    fc
      .constantFrom('gzip', 'br', 'nonsense', 'identity')
      .map((coding): Headers => ({ 'content-type': 'application/json', 'content-encoding': coding })),
  );
  const oversized = fc
    .integer({ min: 65_537, max: 200_000 })
    .map((size) => Buffer.concat([Buffer.from('{"name":"'), Buffer.alloc(size, 'x')]));
  const bytesOf = (text: string) => Buffer.from(text);
  const none = fc.constant({ body: undefined, headers: {} });
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.record({ body: texts.map(bytesOf), headers: jsonType }) },
    {
      weight: 4,
      arbitrary: fc.record({
        body: mutated(values).map((value) => bytesOf(JSON.stringify(value) ?? '')),
        headers: jsonType,
      }),
    },
    { weight: 3, arbitrary: fc.record({ body: corrupted(texts), headers: jsonType }) },
    { weight: 1, arbitrary: fc.record({ body: texts.map(bytesOf), headers: oddType }) },
    { weight: 1, arbitrary: fc.record({ body: oversized, headers: jsonType }) },
    {
      weight: 1,
      arbitrary: texts.map((text) => ({
        body: gzipSync(text),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      })),
    },
  );
  return fc.oneof({ weight: body ? 1 : 4, arbitrary: none }, { weight: method === 'GET' ? 1 : 6, arbitrary: some });
}
