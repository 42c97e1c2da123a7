import { type messages, protocol } from '@electric-sql/pglite';
import type { StatementName } from './prepared-statements.ts';
import { encodeParameter } from './values.ts';

const { serialize } = protocol;

type Messages = readonly messages.BackendMessage[];

export interface StatementToSend extends StatementName {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Names of statements that are no longer needed. */
  readonly close: readonly string[];
}

/**
 * Returns the messages that run one statement. They are sent together. The sync at the end also recovers from an error.
 */
export function writeStatement({ name, isKnown, text, values, close }: StatementToSend): Uint8Array {
  return Buffer.concat([
    ...close.map((dropped) => serialize.close({ type: 'S', name: dropped })),
    ...(isKnown ? [] : [serialize.parse({ name, text })]),
    serialize.bind({ statement: name, values: [...values] }),
    serialize.describe({ type: 'P' }),
    serialize.execute(),
    serialize.sync(),
  ]);
}

/** Returns a parameter as text. The database parses it according to its type in the statement. */
export function writeValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  // An object whose toJSON() returns undefined becomes NULL, as with pg.
  return encodeParameter(value) ?? null;
}

/** Returns the error of a reply, if it has one. */
export function findReplyError(reply: Messages): messages.DatabaseError | undefined {
  return reply.find((message) => message.name === 'error') as messages.DatabaseError | undefined;
}

/** Returns whether the statement was parsed, even if it failed later. */
export function isParsed(reply: Messages): boolean {
  return reply.some((message) => message.name === 'parseComplete');
}

/** Returns whether no transaction is open after the statement. */
export function isIdle(reply: Messages): boolean {
  const ready = reply.findLast((message) => message.name === 'readyForQuery');
  return (ready as messages.ReadyForQueryMessage | undefined)?.status === 'I';
}
