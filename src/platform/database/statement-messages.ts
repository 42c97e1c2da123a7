import { type messages, protocol } from '@electric-sql/pglite';
import { encodeParameter } from './encode-parameter.ts';
import type { StatementName } from './prepared-statements.ts';

const { serialize } = protocol;

type Messages = readonly messages.BackendMessage[];

export interface StatementToSend extends StatementName {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Names of statements that are needed no more. */
  readonly close: readonly string[];
}

/** All that makes the database run one statement, to be sent at once. It ends in a sync, so an error ends there, too. */
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

/** A parameter as text, whatever its type: the database reads it by the type that the statement gives it. */
export function writeValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  // No text for an object whose toJSON() gives none: NULL, as with pg.
  return encodeParameter(value) ?? null;
}

/** The error in the answer, if there is one. */
export function errorIn(answer: Messages): messages.DatabaseError | undefined {
  return answer.find((message) => message.name === 'error') as messages.DatabaseError | undefined;
}

/** Whether the statement was parsed, whatever came after that. */
export function isParsed(answer: Messages): boolean {
  return answer.some((message) => message.name === 'parseComplete');
}

/** Whether no transaction is open after the statement. */
export function isIdle(answer: Messages): boolean {
  const ready = answer.findLast((message) => message.name === 'readyForQuery');
  return (ready as messages.ReadyForQueryMessage | undefined)?.status === 'I';
}
