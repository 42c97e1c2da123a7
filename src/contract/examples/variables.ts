import type { KeptValue } from './example.ts';

/** The values of variables by name. */
export type Variables = Readonly<Record<string, string>>;

const VARIABLE = /\{\{(\w+)\}\}/g;

/** Replaces the variables in every text of a value. A variable without a value stays. */
export function fillIn<Value>(value: Value, variables: Variables): Value {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? part.replaceAll(VARIABLE, (whole, name: string) => variables[name] ?? whole) : part,
  );
}

/** Returns the names of the variables in a value. */
export function listVariables(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** Returns the value that an example keeps of a response; null if the response has no such text. */
export function readKept(response: unknown, kept: KeptValue): string | null {
  const value = readPath(response, typeof kept === 'string' ? kept : kept.lastPartOf);
  if (typeof value !== 'string') return null;
  return typeof kept === 'string' ? value : value.slice(value.lastIndexOf('/') + 1);
}

/** Returns the value at a path such as `data.sessions.0.id`; undefined if there is none. */
function readPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | null | undefined)?.[step], value);
}
