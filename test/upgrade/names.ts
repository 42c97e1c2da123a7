import { sql } from 'kysely';
import type { Executor } from '../../src/platform/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** The sources of names that databases, dashboards and clients depend on. */
export interface Named {
  readonly error_codes: Readonly<Record<string, { readonly status: number }>>;
  readonly metrics: Readonly<Record<string, { readonly kind: string; readonly labels: readonly string[] }>>;
  readonly queues: readonly { readonly name: string }[];
  readonly openapi: object;
}

export function namesOf({ error_codes, metrics, queues, openapi }: Named): string[] {
  return [
    ...Object.entries(error_codes).map(([code, { status }]) => `error ${code} ${status}`),
    ...Object.entries(metrics).map(([name, { kind, labels }]) => `metric ${name} ${kind} ${labels.join()}`.trim()),
    ...queues.map(({ name }) => `queue ${name}`),
    ...interfaceNames(openapi as Json),
  ];
}

/** Returns the applied migrations and the columns and constraints that they created. */
export async function storedNames(executor: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT 'migration ' || domain || '/' || name AS name FROM almanac_migrations
    UNION ALL
    SELECT concat_ws(' ', 'column', table_schema || '.' || table_name || '.' || column_name, data_type)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL
    SELECT 'constraint ' || conrelid::regclass || '.' || conname FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    ORDER BY name`.execute(executor.query());
  return rows.map(({ name }) => name);
}

/** Returns operations, parameters, statuses, keys and enum values. Descriptions are prose and are omitted. */
function interfaceNames(openapi: Json): string[] {
  const lines = new Set<string>();
  const add = (line: string): boolean => lines.size < lines.add(line).size;

  const walk = (schema: unknown, at: string, above: readonly unknown[] = []): void => {
    if (typeof schema !== 'object' || schema === null || above.includes(schema)) return;
    const { $ref, enum: values, const: value, properties, items, additionalProperties, ...rest } = schema as Json;
    const within = [...above, schema];
    if (typeof $ref === 'string') walk(resolve(openapi, $ref), at, within);
    for (const one of Array.isArray(values) ? values : value === undefined ? [] : [value]) add(`${at} = ${one}`);
    for (const [key, one] of Object.entries((properties ?? {}) as Json)) {
      add(`${at}.${key}`);
      walk(one, `${at}.${key}`, within);
    }
    walk(items, `${at}[]`, within);
    walk(additionalProperties, `${at}.*`, within);
    for (const form of ['anyOf', 'oneOf', 'allOf']) for (const one of listOf(rest[form])) walk(one, at, within);
  };

  for (const [path, methods] of Object.entries(openapi.paths as Json)) {
    for (const [method, described] of Object.entries(methods as Json)) {
      const { operationId, parameters, requestBody, responses } = described as Json;
      const name = `${method.toUpperCase()} ${path}`;
      add(`operation ${operationId} ${name}`);
      for (const { name: parameter, in: place, schema } of listOf(parameters) as Json[]) {
        add(`${name} ${place} ${parameter}`);
        walk(schema, `${name} ${place} ${parameter}`);
      }
      for (const [type, one] of contentOf(requestBody)) walk(one, `${name} ${type} `);
      for (const [status, reply] of Object.entries(responses as Json)) {
        add(`${name} ${status}`);
        // Error responses are the same for every operation, and their codes are listed.
        if (status < '400') for (const [type, one] of contentOf(reply)) walk(one, `${name} ${status} ${type} `);
      }
    }
  }
  return [...lines];
}

function contentOf(described: unknown): [string, unknown][] {
  const { content = {} } = (described ?? {}) as { readonly content?: Readonly<Record<string, Json>> };
  return Object.entries(content).map(([type, { schema }]) => [type, schema]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @param reference such as `#/components/schemas/Source` */
function resolve(document: Json, reference: string): unknown {
  const steps = reference.split('/').slice(1);
  return steps.reduce<unknown>((inside, step) => (inside as Json)[step], document);
}
