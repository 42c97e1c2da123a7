import { z } from 'zod';
import { ACTION_SCOPES, scopesFor } from './actions.ts';
import { bodyLimitsOf, formatBytes } from './body-limits.ts';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.ts';
import { type ShownExample, showExample } from './examples/index.ts';
import { securityOf, securitySchemes } from './openapi-security.ts';
import { OPERATION_GROUPS, type Operation } from './operation.ts';
import { type OperationId, operations } from './operations.ts';
import { ErrorBody, SearchErrorBody, usesSearchEnvelope } from './replies.ts';

export const INTERFACE_VERSION = '1.0.0';

/** Errors that every operation can return. */
const COMMON_ERRORS: readonly ErrorCode[] = ['INVALID_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const CREDENTIAL_ERRORS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_DENIED',
  'PLAN_REQUIRED',
  'ACCOUNT_REQUIRED',
];

/** Returns every error that an operation documents: its own errors and those that all requests of its kind can cause. */
export function listErrors(op: Operation): ErrorCode[] {
  const credential = ACTION_SCOPES[op.action] === null ? [] : CREDENTIAL_ERRORS;
  const conditional: readonly ErrorCode[] = op.conditional ? ['PRECONDITION_FAILED'] : [];
  return [...new Set([...COMMON_ERRORS, ...credential, ...listWriteErrors(op), ...conditional, ...(op.errors ?? [])])];
}

/** Operations without a body also return TOO_LARGE: they ignore a body only within the size limit. */
function listWriteErrors(op: Operation): readonly ErrorCode[] {
  if (op.method === 'GET') return [];
  return op.body || op.upload
    ? ['ORIGIN_DENIED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
    : ['ORIGIN_DENIED', 'TOO_LARGE'];
}

/**
 * Builds the OpenAPI 3.1 document of the service from its operations.
 *
 * @param siteUrl the public origin of the service, used in `servers` and in the OAuth URLs
 */
export function buildOpenApi(siteUrl: string): Json {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Json> = {};
  for (const [operationId, op] of Object.entries<Operation>(operations)) {
    paths[op.path] ??= {};
    (paths[op.path] as Json)[op.method.toLowerCase()] = describe(operationId as OperationId, op, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: INTERFACE_VERSION,
      description: 'Forecasting, market data and workspaces.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${siteUrl}/api` }],
    tags: Object.entries(OPERATION_GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: securitySchemes(siteUrl),
      responses: sharedResponses(schemas),
      schemas: schemas.all,
    },
  };
}

function describe(operationId: OperationId, op: Operation, schemas: ComponentSchemas): Json {
  const example = showExample(operationId);
  const scopes = scopesFor(op.action);
  return {
    operationId,
    tags: [op.group],
    summary: op.summary,
    ...describeDeprecation(op),
    security: securityOf(op),
    // OpenAPI lists scopes only for OAuth, but here OAuth tokens have every scope. API keys can lack the scope, so an
    // extension field names it, or those of which one is enough.
    ...(scopes.length === 1 && !op.guestsOnly && { 'x-required-scope': scopes[0] }),
    ...(scopes.length > 1 && { 'x-accepted-scopes': scopes }),
    // The number of requests that one call counts as in the rate limit.
    'x-rate-limit-weight': op.weight ?? 1,
    parameters: [
      ...parameters(op.params, 'path', schemas, example.params),
      ...parameters(op.query, 'query', schemas, example.query),
      ...headerParameters(op, schemas),
    ],
    ...(op.body && {
      requestBody: {
        description: describeLimit(bodyLimitsOf(op).bytes),
        required: true,
        content: withExample(jsonContent(schemas.of(op.body, 'input')), example.request),
      },
    }),
    ...(op.upload && {
      requestBody: {
        description: describeLimit(op.upload.limit),
        required: true,
        content: withExample(fileContent(op.upload.mediaType), example.request),
      },
    }),
    responses: {
      [op.status]: { description: 'Success', content: withExample(successContent(op, schemas), example.response) },
      ...(op.stream && { 204: { description: 'The client already received the last event; no more will follow.' } }),
      ...(op.versioned && { 304: { description: 'The object has not changed since the version in If-None-Match.' } }),
      ...errorResponses(op, schemas),
      405: {
        $ref: `#/components/responses/${METHOD_NOT_ALLOWED_NAMES[usesSearchEnvelope(op.path) ? 'search' : 'resource']}`,
      },
    },
  };
}

/** Returns the description of an operation, and since when and until when it is deprecated. */
function describeDeprecation({ description, deprecated }: Operation): Json {
  if (deprecated === undefined) return description === undefined ? {} : { description };
  const { since, sunset, instead } = deprecated;
  const notice = `Deprecated since ${since}; it may be gone from ${sunset} on. Use ${instead} instead.`;
  return {
    description: description === undefined ? notice : `${notice}\n\n${description}`,
    deprecated: true,
    'x-deprecated': since,
    'x-sunset': sunset,
  };
}

function describeLimit(bytes: number): string {
  return `At most ${formatBytes(bytes)}.`;
}

function parameters(
  schema: z.ZodObject | undefined,
  location: 'path' | 'query',
  schemas: ComponentSchemas,
  examples: Json,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemas.of(field as z.ZodType, 'input'),
    ...(name in examples && { example: examples[name] }),
  }));
}

/** Describes one response for each status. If several codes share a status, the description names each of them. */
function errorResponses(op: Operation, schemas: ComponentSchemas): Json {
  const body = schemas.of(usesSearchEnvelope(op.path) ? SearchErrorBody : ErrorBody, 'output');
  const byStatus = Map.groupBy(listErrors(op), (code) => ERROR_CATALOG[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${ERROR_CATALOG[code].when}`).join(' '),
        content: jsonContent(body),
      },
    ]),
  );
}

/** The names of the shared responses with status 405, one for each format of error bodies. */
export const METHOD_NOT_ALLOWED_NAMES = { resource: 'MethodNotAllowed', search: 'SearchMethodNotAllowed' } as const;

/** Describes the response to a method that a path does not support. No operation can return it, but every path can. */
function sharedResponses(schemas: ComponentSchemas): Json {
  const code = 'METHOD_NOT_ALLOWED' satisfies ErrorCode;
  const respond = (body: z.ZodType): Json => ({
    description: `${code}: ${ERROR_CATALOG[code].when}`,
    headers: { Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } } },
    content: jsonContent(schemas.of(body, 'output')),
  });
  const { resource, search } = METHOD_NOT_ALLOWED_NAMES;
  return { [resource]: respond(ErrorBody), [search]: respond(SearchErrorBody) };
}

function successContent(op: Operation, schemas: ComponentSchemas): Json {
  // OpenAPI 3.1 cannot describe the events of a stream, so the body is described as one string.
  if (op.stream) return { 'text/event-stream': { schema: { type: 'string' } } };
  if (op.attachment === 'always') return fileContent(op.archive ? 'application/zip' : 'text/csv');
  const json = jsonContent(schemas.of(op.reply.body, 'output'));
  return op.attachment ? { ...json, ...fileContent('text/csv') } : json;
}

function fileContent(mediaType: string): Json {
  return { [mediaType]: { schema: { type: 'string' } } };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** Adds an example to the content of its media type. */
function withExample(content: Json, shown: ShownExample['request']): Json {
  if (shown === null) return content;
  const { mediaType, value } = shown;
  return { ...content, [mediaType]: { ...(content[mediaType] as Json), example: value } };
}

type Json = { [key: string]: unknown };

/**
 * Converts schemas to JSON Schema and collects those with a name, so that client generators create one type for each
 * named schema.
 */
class ComponentSchemas {
  readonly all: Record<string, unknown> = {};

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
    for (const [name, definition] of Object.entries($defs ?? {})) this.all[name] ??= toComponentReferences(definition);
    // `toJSONSchema` returns a schema with a name inline; collect it as well and return a reference.
    const id = schema.meta()?.id;
    if (!id) return toComponentReferences(json);
    const { id: _id, ...named } = json;
    this.all[id] ??= toComponentReferences(named);
    return { $ref: `#/components/schemas/${id}` };
  }
}

function toComponentReferences(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** A key that the caller chooses. Repeating a request with the same key is safe. */
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~]{1,200}$/, { error: 'must be 1 to 200 visible ASCII characters' });

const LastEventId = z.string().regex(/^\d{1,10}$/);

const EntityTags = z.string().max(1_000);

/** Describes the request headers that only some operations read. */
function headerParameters(op: Operation, schemas: ComponentSchemas): Json[] {
  const header = (name: string, description: string, schema: z.ZodType): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: schemas.of(schema, 'input'),
  });
  return [
    ...(op.repeatable
      ? [
          header(
            'Idempotency-Key',
            'Valid for 24 hours. Repeating the request with the same key returns the forecast that the first request created and does not create another one. A different request with the same key is refused.',
            IdempotencyKey,
          ),
        ]
      : []),
    ...(op.stream
      ? [header('Last-Event-ID', 'The id of the last event received. The stream continues after it.', LastEventId)]
      : []),
    ...(op.conditional
      ? [
          header(
            'If-Match',
            'The ETag of the version that the caller has read, or a list of ETags. If the object has changed since then, the request is refused with 412 and changes nothing. ETags are compared strongly: a weak one never matches. `*` matches every version.',
            EntityTags,
          ),
        ]
      : []),
  ];
}
