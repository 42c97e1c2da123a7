import type { z } from 'zod';
import type { Action } from './actions.ts';
import type { ErrorCode } from './error-catalog.ts';
import type { Reply } from './replies.ts';

/** The groups of operations, in the order of the documentation, each with its description. */
export const OPERATION_GROUPS = {
  Access: 'The caller’s plan, scopes, memberships and usage, and the security of the account.',
  Keys: 'API keys of the account.',
  Sessions: 'Browser sessions and guest sessions.',
  Search: 'Search for market and economic series, their descriptions and their observations.',
  Download: 'Price history of stocks and other instruments.',
  Feeds: 'URLs from which spreadsheets and dashboards read CSV without another credential.',
  Forecast: 'Ensemble forecasts of a series: create, watch, read, cancel, reproduce, prove and save them.',
  Workspaces: 'Workspaces with their collaborators, CSV files and forecasts.',
  Scout: 'Event forecasts with their revisions, resolutions and scores.',
  Screener: 'Saved screener filters, their matches and their emails.',
  Webhooks: 'URLs to which the service sends what happens, with its deliveries and their replies.',
  Administration: 'The state of the service and its accounts, for administrators.',
} as const;

export type Group = keyof typeof OPERATION_GROUPS;

export interface Deprecated {
  /** The day from which it was deprecated, and the first day on which it may be gone: `2027-01-31`. */
  readonly since: string;
  readonly sunset: string;
  /** What to use instead, as the end of a sentence: "Use … instead." */
  readonly instead: string;
}

/** The description of an operation, from which its validation, types and documentation are derived. */
export interface Operation {
  readonly group: Group;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path relative to the base path, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly action: Action;
  /**
   * `path`: the parameter of the path is the credential. No other credential in the request is looked at, and the path is
   * not logged.
   */
  readonly credential?: 'path';
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject | z.ZodDiscriminatedUnion;
  /** Set when the body may exceed the default limits. `rows`: maximum number of inline rows in it. */
  readonly bodyLimit?: { readonly bytes?: number; readonly rows?: number };
  /** Set when the body is a file, which is read as a stream. */
  readonly upload?: { readonly mediaType: 'text/csv'; readonly limit: number };
  /** Number of requests that one call counts as in the rate limit. Default: 1. */
  readonly weight?: number;
  /**
   * Set for an operation that occupies the process for long, so that few run at the same time. `work`: it computes.
   * `file_work`: it computes if its `source`, or that of its rule, is a CSV file. `transfer`: it sends or receives a file, so its duration
   * depends on the client, and only the caller's own number is limited. `export_work`: it sends a file if its `format` is
   * `csv`, and computes otherwise.
   */
  readonly heavy?: 'work' | 'file_work' | 'transfer' | 'export_work';
  readonly status: 200 | 201 | 202;
  readonly reply: Reply;
  /** Set when the response has an ETag, so that a request with a matching If-None-Match header gets 304. */
  readonly versioned?: true;
  /** Set when the operation changes an object with an ETag, so that it refuses a stale version in an If-Match header. */
  readonly conditional?: true;
  /** `true`: the response can also be a file. `'always'`: it is always a file. */
  readonly attachment?: true | 'always';
  /** Set when the file is a ZIP archive. By default it is CSV. */
  readonly archive?: true;
  /** Set when the response is a stream of server-sent events; `reply` then describes the data of an event. */
  readonly stream?: true;
  /** Set when the operation accepts an Idempotency-Key, so that repeating a request is safe. */
  readonly repeatable?: true;
  /** Set when only guests can complete the operation. */
  readonly guestsOnly?: true;
  /** Set when the operation will be removed. docs/api-changes.md has the rules. */
  readonly deprecated?: Deprecated;
  /** Errors of this operation, in addition to those that every operation can return. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares an operation. Its literal types are kept, because the type of its handler is derived from them. */
export function operation<const Op extends Operation>(op: Op): Op {
  return op;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The parsed request that the handler of an operation receives. */
export interface Input<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
}

/** The data that the handler of an operation returns, without the envelope. */
export type Output<Op extends Operation> = Op['reply'] extends Reply<infer Data> ? z.input<Data> : never;
