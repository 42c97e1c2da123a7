/** The part of JSON Schema (2020-12) that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

interface Content {
  readonly 'application/json'?: { readonly schema: Schema };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}

interface DocumentedResponse {
  readonly description: string;
  readonly content?: Content;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, DocumentedResponse>>;
  };
}

/** One operation, as the document describes it. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** From the site's root, with `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly responses: ReadonlyMap<number, { readonly description: string; readonly schema: Schema | undefined }>;
}

export function operationsOf(document: OpenApiDocument): ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: `/api${path}`,
      parameters: operation.parameters,
      body: operation.requestBody?.content['application/json']?.schema,
      responses: new Map(
        Object.entries(operation.responses).map(([status, response]) => {
          const { description, content } = resolveResponse(response, document);
          return [Number(status), { description, schema: content?.['application/json']?.schema }];
        }),
      ),
    })),
  );
}

function resolveResponse(
  response: DocumentedResponse | { readonly $ref: string },
  { components }: OpenApiDocument,
): DocumentedResponse {
  if (!('$ref' in response)) return response;
  const target = components.responses?.[response.$ref.replace('#/components/responses/', '')];
  if (!target) throw new Error(`The document has no response ${response.$ref}.`);
  return target;
}

/** Follows a reference into the document's components. */
export function resolve(schema: Schema, document: OpenApiDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const target = document.components.schemas[name];
  if (!target) throw new Error(`The document has no schema ${schema.$ref}.`);
  return resolve(target, document);
}
