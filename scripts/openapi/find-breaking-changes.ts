import { findNarrowing, type Schema } from './find-narrowing.ts';

interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
  readonly 'x-required-scope'?: string;
  readonly 'x-accepted-scopes'?: readonly string[];
}

export interface OpenApiDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: DescribedOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

/**
 * Compares a document with a released one. Returns one line for each way in which a client of the released document could
 * break: an operation, parameter, field or media type that is gone, a request that is no longer accepted, or a response that the
 * released document does not describe. New operations, optional fields of requests, and fields and named values of
 * responses break no client: clients ignore what they do not know.
 */
export function findBreakingChanges(released: OpenApiDocument, present: OpenApiDocument): string[] {
  return Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const now = present.paths[path]?.[method];
      if (now === undefined) return [`${before.operationId} is gone`];
      return [
        ...findRenaming(before, now),
        ...findScopes(before, now),
        ...findParameters(released, before, present, now),
        ...findBody(released, before, present, now),
        ...findResponses(released, before, present, now),
      ].map((change) => `${before.operationId}: ${change}`);
    }),
  );
}

/** Generated clients name their methods by the operationId. */
function findRenaming(before: DescribedOperation, now: DescribedOperation): string[] {
  return now.operationId === before.operationId ? [] : [`is named ${now.operationId}`];
}

function findScopes(before: DescribedOperation, now: DescribedOperation): string[] {
  const scopesOf = (op: DescribedOperation) =>
    op['x-accepted-scopes'] ?? (op['x-required-scope'] === undefined ? [] : [op['x-required-scope']]);
  const accepted = scopesOf(now);
  if (accepted.length === 0) return [];
  if (scopesOf(before).length === 0) return [`needs the scope ${accepted.join(' or ')}`];
  return scopesOf(before)
    .filter((scope) => !accepted.includes(scope))
    .map((scope) => `the scope ${scope} is not enough`);
}

function findParameters(
  released: OpenApiDocument,
  before: DescribedOperation,
  present: OpenApiDocument,
  now: DescribedOperation,
): string[] {
  const find = (op: DescribedOperation, { name, in: place }: Parameter) =>
    op.parameters?.find((one) => one.name === name && one.in === place);
  const changed = (before.parameters ?? []).flatMap((parameter) => {
    const label = `the ${parameter.in} parameter ${parameter.name}`;
    const other = find(now, parameter);
    if (other === undefined) return [`${label} is gone`];
    if (other.required && !parameter.required) return [`${label} is required`];
    return findNarrowing({
      general: { document: present, schema: other.schema },
      special: { document: released, schema: parameter.schema },
      direction: 'request',
      at: label,
    });
  });
  const required = (now.parameters ?? []).filter((one) => one.required && find(before, one) === undefined);
  return [...changed, ...required.map(({ name, in: place }) => `the ${place} parameter ${name} is new and required`)];
}

function findBody(
  released: OpenApiDocument,
  before: DescribedOperation,
  present: OpenApiDocument,
  now: DescribedOperation,
): string[] {
  if (before.requestBody === undefined) return now.requestBody === undefined ? [] : ['a body is required'];
  return Object.entries(before.requestBody.content).flatMap(([mediaType, { schema: special = {} }]) => {
    const general = now.requestBody?.content[mediaType];
    if (general === undefined) return [`a body of ${mediaType} is not accepted`];
    return findNarrowing({
      general: { document: present, schema: general.schema ?? {} },
      special: { document: released, schema: special },
      direction: 'request',
      at: 'the body',
    });
  });
}

function findResponses(
  released: OpenApiDocument,
  before: DescribedOperation,
  present: OpenApiDocument,
  now: DescribedOperation,
): string[] {
  const successes = Object.entries(before.responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, { content = {} }]) => {
    const response = now.responses[status];
    if (response === undefined) return [`the response ${status} is gone`];
    return Object.entries(content).flatMap(([mediaType, { schema: general = {} }]) => {
      const special = response.content?.[mediaType];
      if (special === undefined) return [`a response ${status} of ${mediaType} is gone`];
      return findNarrowing({
        general: { document: released, schema: general },
        special: { document: present, schema: special.schema ?? {} },
        direction: 'response',
        at: `the response ${status}`,
      });
    });
  });
}
