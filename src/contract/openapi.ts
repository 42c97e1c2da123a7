import type { z } from 'zod';
import { ACTION_SCOPES } from './actions.ts';
import { ComponentSchemas, type Json } from './component-schemas.ts';
import { ERROR_CATALOGUE, type ErrorCode } from './error-codes.ts';
import { headerParameters } from './header-parameters.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { ErrorBody, SearchErrorBody, usesSearchEnvelope } from './replies.ts';
import { securitySchemes } from './security-schemes.ts';

export const INTERFACE_VERSION = '1.0.0';

/** What any operation may answer, whatever it does. */
const COMMON_ERRORS: readonly ErrorCode[] = ['INVALID_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const CREDENTIAL_ERRORS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_DENIED',
  'PLAN_REQUIRED',
  'ACCOUNT_REQUIRED',
];

/** The errors an operation documents: its own, and those its kind of request always can run into. */
export function errorsOf(op: Operation): ErrorCode[] {
  const credential = ACTION_SCOPES[op.action] === null ? [] : CREDENTIAL_ERRORS;
  return [...new Set([...COMMON_ERRORS, ...credential, ...writeErrorsOf(op), ...(op.errors ?? [])])];
}

/** A body that nobody asked for is not looked at, but it must not be without end. */
function writeErrorsOf(op: Operation): readonly ErrorCode[] {
  if (op.method === 'GET') return [];
  return op.body || op.upload
    ? ['ORIGIN_DENIED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
    : ['ORIGIN_DENIED', 'TOO_LARGE'];
}

/**
 * The OpenAPI 3.1 document of the service, made from the operations alone.
 *
 * @param siteUrl where the service is reached, for `servers` and the OAuth addresses
 */
export function buildOpenApi(siteUrl: string): Json {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Json> = {};
  for (const [operationId, op] of Object.entries<Operation>(operations)) {
    paths[op.path] ??= {};
    (paths[op.path] as Json)[op.method.toLowerCase()] = describe(operationId, op, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: INTERFACE_VERSION,
      description: 'Forecasting, market data and workspaces. Every forecast is a claim that anyone can check.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${siteUrl}/api` }],
    tags: [...new Set(Object.values<Operation>(operations).map((op) => op.group))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: securitySchemes(siteUrl), schemas: schemas.all },
  };
}

function describe(operationId: string, op: Operation, schemas: ComponentSchemas): Json {
  const scope = ACTION_SCOPES[op.action];
  return {
    operationId,
    tags: [op.group],
    summary: op.summary,
    ...(op.description && { description: op.description }),
    // OAuth tokens of a person carry every scope; the list names the one that an API key must have been given.
    security: scope === null ? [{}] : [{ bearer: [] }, { oauth2: [] }, { session: [] }],
    ...(scope && { 'x-required-scope': scope }),
    parameters: [
      ...parameters(op.params, 'path', schemas),
      ...parameters(op.query, 'query', schemas),
      ...headerParameters(op, schemas),
    ],
    ...(op.body && {
      requestBody: { required: true, content: jsonContent(schemas.of(op.body, 'input')) },
    }),
    ...(op.upload && { requestBody: { required: true, content: fileContent(op.upload.mediaType) } }),
    responses: {
      [op.status]: { description: 'Success', content: successContent(op, schemas) },
      ...(op.stream && { 204: { description: 'The last event was received already: nothing more will come.' } }),
      ...(op.versioned && { 304: { description: 'Nothing has changed since the version of If-None-Match.' } }),
      ...errorResponses(op, schemas),
    },
  };
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query', schemas: ComponentSchemas): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemas.of(field as z.ZodType, 'input'),
  }));
}

/** One response per status: several codes can share it, and the description names each. */
function errorResponses(op: Operation, schemas: ComponentSchemas): Json {
  const body = schemas.of(usesSearchEnvelope(op.path) ? SearchErrorBody : ErrorBody, 'output');
  const byStatus = Map.groupBy(errorsOf(op), (code) => ERROR_CATALOGUE[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${ERROR_CATALOGUE[code].when}`).join(' '),
        content: jsonContent(body),
      },
    ]),
  );
}

function successContent(op: Operation, schemas: ComponentSchemas): Json {
  // OpenAPI 3.1 has no word for the events of a stream: to it the body is one text.
  if (op.stream) return { 'text/event-stream': { schema: { type: 'string' } } };
  if (op.attachment === 'always') return fileContent('text/csv');
  const json = jsonContent(schemas.of(op.reply.body, 'output'));
  return op.attachment ? { ...json, ...fileContent('text/csv') } : json;
}

function fileContent(mediaType: string): Json {
  return { [mediaType]: { schema: { type: 'string' } } };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}
