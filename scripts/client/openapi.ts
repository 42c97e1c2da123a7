import { buildOpenApi } from '../../src/contract/index.ts';

/** The parts of JSON Schema that the OpenAPI document uses. */
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
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
}

export interface Content {
  readonly [mediaType: string]: { readonly schema: Schema };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the OpenAPI document of this build. */
export function readOpenApi(): OpenApi {
  return buildOpenApi('https://almanac.example') as unknown as OpenApi;
}

/** Returns the name of a referenced component; null for a schema that is not a reference. */
export function componentName({ $ref }: Schema): string | null {
  return $ref?.replace('#/components/schemas/', '') ?? null;
}

/** Returns the schema that a reference names, or the schema itself. */
export function resolveSchema(document: OpenApi, schema: Schema): Schema {
  const name = componentName(schema);
  if (name === null) return schema;
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`The OpenAPI document has no schema ${name}.`);
  return found;
}
