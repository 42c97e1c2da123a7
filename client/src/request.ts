import type { CsvContent } from './file.ts';
import type { operations } from './generated/operations.ts';
import type { CallOptions } from './options.ts';

export type OperationId = keyof typeof operations;

/** An entry of the list of operations. */
export interface OperationEntry {
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: string | null;
  readonly repeat: 'safe' | 'key' | 'never';
  readonly envelope: 'data' | 'ok' | null;
  readonly stream: boolean;
  /** Whether a reply can be a file. */
  readonly file: boolean;
  readonly items: string | null;
}

export interface Operation extends OperationEntry {
  readonly id: OperationId;
}

/** A request that can be sent several times. */
export interface PreparedRequest {
  /** The path with its query, below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CsvContent | null;
}

export type Input = Readonly<Record<string, unknown>>;

/** Builds the request of a call. Throws a TypeError that names the field if the input cannot be sent. */
export function prepareRequest(operation: Operation, input: Input, options: CallOptions): PreparedRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeSegment(operation, name, value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = rest.get(name);
    rest.delete(name);
    if (value === undefined) continue;
    if (typeof value === 'object')
      throw new TypeError(`${operation.id}: ${name} must be a text, a number or a boolean.`);
    query.set(name, String(value));
  }
  const body = prepareBody(operation, rest);
  return {
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: buildHeaders(operation, options),
    body,
  };
}

/** Returns the headers with names in lower case. Those of the caller replace others of the same name. */
function buildHeaders(operation: Operation, options: CallOptions): Readonly<Record<string, string>> {
  const headers = new Headers({ accept: operation.stream ? 'text/event-stream' : '*/*' });
  const set = (name: string, value: string, option: string) => {
    try {
      headers.set(name, value);
    } catch {
      throw new TypeError(`${operation.id}: ${option} cannot be sent in a header. Use visible ASCII characters.`);
    }
  };
  if (operation.repeat === 'key') set('idempotency-key', options.idempotencyKey ?? createKey(), 'idempotencyKey');
  if (options.ifMatch !== undefined) set('if-match', options.ifMatch, 'ifMatch');
  if (operation.body !== null)
    set('content-type', operation.body === 'json' ? 'application/json' : operation.body, 'body');
  for (const [name, value] of Object.entries(options.headers ?? {})) set(name, value, `headers.${name}`);
  return Object.fromEntries(headers);
}

/** Refuses a segment that would change the path: an empty one, or dots, which URL parsers remove even when encoded. */
function encodeSegment({ id }: Operation, name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${id}: ${name} is missing. Pass it as a text.`);
  if (value === '.' || value === '..') throw new TypeError(`${id}: ${name} must not be ${value}.`);
  return encodeURIComponent(value);
}

function prepareBody(operation: Operation, rest: ReadonlyMap<string, unknown>): CsvContent | null {
  if (operation.body === 'json') return JSON.stringify(Object.fromEntries(rest));
  const expected = operation.body === null ? [] : ['content'];
  const unknown = [...rest.keys()].find((name) => !expected.includes(name));
  if (unknown !== undefined) throw new TypeError(`${operation.id}: has no field ${unknown}.`);
  if (operation.body === null) return null;
  const content = rest.get('content');
  if (content === undefined) throw new TypeError(`${operation.id}: content is missing. Pass the content of the file.`);
  return content as CsvContent;
}

/** Returns a random key. `crypto.randomUUID` is missing in browsers on pages that are not from HTTPS. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `almanac-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
