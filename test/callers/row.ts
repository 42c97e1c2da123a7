import type { IdentityContext } from '../../src/identity/index.ts';
import { type Answers, byMembership, DENIED, MISSING } from './answers.ts';
import type { Caller } from './callers.ts';
import type { EachScope } from './membership-callers.ts';
import type { Scene } from './world.ts';

export interface Row {
  readonly answers: Answers;
  /** Returns what the request needs besides the resources of the scene, so that only the caller can cause a refusal. */
  readonly request?: (cell: Cell) => Request | Promise<Request>;
  /** Sends ids and slugs, although the path names neither a workspace nor a forecast. */
  readonly usesBothForms?: true;
  /** What a success uses up: the session of the caller, the one slot of a guest or free account, or the scene. */
  readonly consumes?: 'session' | 'slot' | 'scene';
}

/** One caller of one operation. */
export interface Cell {
  readonly identity: IdentityContext;
  readonly caller: Caller;
  readonly scene: Scene;
  /** The id or slug of the workspace for a membership caller; null for others, whose requests do not name one. */
  readonly workspace: string | null;
}

export interface Request {
  /** Path parameters besides those of the scene. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  /** Sent instead of a body. */
  readonly file?: string;
}

export const all = <Value>(value: Value): EachScope<Value> => [value, value, value, value, value];
/** Answers of list operations for the scopes everything, the resource, another resource, an empty list and nothing. */
export const listing = (answer: number): EachScope<number | typeof DENIED> => [answer, answer, answer, DENIED, DENIED];
/** Answers of operations on one file. */
export const onFile = (answer: number): EachScope<number | typeof DENIED | typeof MISSING> => [
  answer,
  answer,
  MISSING,
  DENIED,
  DENIED,
];
/** Answers of operations on one forecast, whose path does not name the workspace. */
export const onForecast = <Answer>(answer: Answer): EachScope<Answer | typeof MISSING> => [
  answer,
  answer,
  MISSING,
  MISSING,
  MISSING,
];

/** Answers of operations on one event: resource scopes do not list events, so only the scope of everything reaches it. */
export const onEvent = <Answer>(answer: Answer): EachScope<Answer | typeof MISSING> => [
  answer,
  MISSING,
  MISSING,
  MISSING,
  MISSING,
];

/** Answers of operations that every member may use. */
export const OF_MEMBERS = byMembership({ owner: 200, editor: all(200), viewer: all(200), others: DENIED });

/** Answers of operations that only the owner of the workspace may use. */
export const ofOwner = (success: number) =>
  byMembership({ owner: success, editor: all(DENIED), viewer: all(DENIED), others: DENIED });
