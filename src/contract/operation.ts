import type { z } from 'zod';
import type { Action } from './actions.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Reply } from './replies.ts';

export type Group =
  | 'Access'
  | 'Keys'
  | 'Sessions'
  | 'Forecast'
  | 'Screener'
  | 'Search'
  | 'Download'
  | 'Scout'
  | 'Workspaces';

/** One operation of the service: everything that validation, types, documentation and clients need to know. */
export interface Operation {
  readonly group: Group;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base address, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly action: Action;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Whether the body is a file instead, which is read as it comes. */
  readonly upload?: { readonly mediaType: 'text/csv'; readonly limit: number };
  readonly status: 200 | 201 | 202;
  readonly reply: Reply;
  /** Whether the answer has a version that a client can ask about (ETag, If-None-Match, 304). */
  readonly versioned?: true;
  /** Whether the answer can also be a file, or always is one. */
  readonly attachment?: true | 'always';
  /** Whether the answer is a stream of server-sent events; `reply` then says what is in the data of an event. */
  readonly stream?: true;
  /** Whether it can be sent again with the same Idempotency-Key without being carried out again. */
  readonly repeatable?: true;
  /** What it can answer beyond the errors that every operation can. */
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the literal types of an operation, so that handlers are typed by it. */
export function operation<const Op extends Operation>(op: Op): Op {
  return op;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler of the operation is given, parsed. */
export interface Input<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
}

/** What a handler of the operation returns: the inside of the envelope. */
export type Output<Op extends Operation> = Op['reply'] extends Reply<infer Data> ? z.input<Data> : never;
