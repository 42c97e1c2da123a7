import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import type { OperationId, Operations } from '../operations.ts';

/**
 * The callers of the examples, each with the name of the variable that holds its credential. `account`: an account with
 * the pro plan, by its API key. `browser`: the same account, by its browser session. `member`: another account.
 * `newcomer`: an account whose address is not verified. `administrator`: an administrator, by a browser session.
 */
export const EXAMPLE_CALLERS = {
  account: { variable: 'key', by: 'bearer' },
  browser: { variable: 'session', by: 'session' },
  guest: { variable: 'guest', by: 'guest' },
  member: { variable: 'member_key', by: 'bearer' },
  newcomer: { variable: 'newcomer_key', by: 'bearer' },
  administrator: { variable: 'administrator_session', by: 'session' },
} as const satisfies Record<string, { readonly variable: string; readonly by: 'bearer' | 'session' | 'guest' }>;

export type ExampleCaller = keyof typeof EXAMPLE_CALLERS;

/** The names of the cookies that hold a credential. */
export const CREDENTIAL_COOKIES = { session: '__Host-almanac_session', guest: '__Host-almanac_guest' } as const;

/**
 * Values that an example uses and that no earlier example returns: the user of a collection fills them in, and a test
 * creates what they name.
 */
export const GIVEN_VARIABLES = {
  key: 'An API key with every scope, of an account with the pro or enterprise plan.',
  email: 'The email address of that account.',
  password: 'The password of that account.',
  new_password: 'The password that the account has after the example that changes it.',
  member_key: 'An API key of another account, which is invited to a workspace.',
  member_email: 'The email address of that other account.',
  newcomer_key: 'An API key of an account whose email address is not verified.',
  administrator_session: 'The value of the session cookie of an administrator.',
} as const;

/** The path of a value in a response, or of an address of which the last part is the value. */
export type KeptValue = string | { readonly lastPartOf: string };

/** An example of an operation. Text in it can contain variables, such as `{{forecast_id}}`. */
export interface Example {
  /** `null`: the request has no credential. Default: `account`. */
  readonly caller?: ExampleCaller | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** A file that is sent as the body. */
  readonly file?: string;
  /** Variables that later examples use, each with the path of its value in the response. */
  readonly keeps?: Readonly<Record<string, KeptValue>>;
  /** The variable that later examples use as a credential, from a cookie of the response. */
  readonly keepsCookie?: keyof typeof CREDENTIAL_COOKIES;
}

type Field<Name extends string, Schema, Value> = Schema extends z.ZodType
  ? { readonly [Key in Name]: Value }
  : { readonly [Key in Name]?: never };

type Params<Schema> = Schema extends z.ZodType ? Readonly<Record<keyof z.input<Schema> & string, string>> : never;

/** A query in which only fields of the schema occur, and all that the schema requires. */
type Query<Schema> = Schema extends z.ZodType
  ? Record<string, never> extends Partial<z.input<Schema>>
    ? { readonly query?: Pick<z.input<Schema>, keyof z.input<Schema>> }
    : { readonly query: z.input<Schema> }
  : { readonly query?: never };

/** An example whose fields are those of the operation. */
export type ExampleOf<Op extends Operation> = Omit<Example, 'params' | 'query' | 'body' | 'file'> &
  Field<'params', Op['params'], Params<Op['params']>> &
  Query<Op['query']> &
  Field<'body', Op['body'], Op['body'] extends z.ZodType ? z.input<Op['body']> : never> &
  (Op['upload'] extends object ? { readonly file: string } : { readonly file?: never });

export type Examples = { readonly [Id in OperationId]: ExampleOf<Operations[Id]> };

/** Examples of some operations. The list of all of them compiles only if none is missing. */
export type SomeExamples = Partial<Examples>;
