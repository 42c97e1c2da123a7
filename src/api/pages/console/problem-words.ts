import type { ErrorCode } from '../../../contract/index.ts';

// Pure: the scripts of the pages import this file, so that a problem reads the same with and without them.

/** A problem in words: what happened, and what a visitor can do about it. */
export interface ProblemWords {
  readonly title: string;
  /** What the visitor can do; null if the message of the error already states it. */
  readonly advice: string | null;
  /** Replaces the message of the error, if that message is for programs. */
  readonly message?: string;
}

/** The codes of the API, and those of failures that only a browser sees. */
export type ProblemCode = ErrorCode | 'OFFLINE' | 'UNREADABLE';

const WORDS: Partial<Record<ProblemCode, ProblemWords>> = {
  NOT_FOUND: {
    title: 'There is nothing here',
    advice: 'The address may be mistyped, or what it showed was deleted or is not shared with you.',
  },
  METHOD_NOT_ALLOWED: { title: 'This page cannot do that', advice: 'Go back and use the form of the page.' },
  INVALID_REQUEST: { title: 'Something in this address is not valid', advice: null },
  UNAUTHENTICATED: {
    title: 'Sign in to continue',
    advice: null,
    message: 'This page is only for visitors that are signed in, or for the guest that made what it shows.',
  },
  ACCOUNT_REQUIRED: {
    title: 'This needs an account',
    advice: 'An account is free. What you made as a guest can be kept in it.',
  },
  ADMINISTRATOR_REQUIRED: {
    title: 'Only for administrators',
    advice: 'An administrator of this service can make you one.',
  },
  ACCOUNT_LOCKED: { title: 'This account is locked', advice: null },
  EMAIL_NOT_VERIFIED: { title: 'Confirm your email address first', advice: null },
  PLAN_REQUIRED: { title: 'Your plan does not include this', advice: null },
  LICENSE_DENIED: { title: 'The license of this data does not allow it here', advice: null },
  SOURCE_DENIED: { title: 'This service does not read that source', advice: null },
  WORKSPACE_DENIED: {
    title: 'This is not shared with you',
    advice: 'If you expect to have access, ask the owner of the workspace.',
  },
  OWNERSHIP_REQUIRED: { title: 'This belongs to another account', advice: null },
  ORIGIN_DENIED: {
    title: 'This request came from another site',
    advice: 'The forms of this site can be submitted only from its own pages. Open the page again and submit it there.',
  },
  PRECONDITION_FAILED: {
    title: 'This changed in the meantime',
    advice: 'Open the page again to see the current state, then repeat your change.',
  },
  NOT_COMPLETED: { title: 'This forecast is not complete yet', advice: null },
  TOO_LARGE: { title: 'The form is too large', advice: null },
  INSUFFICIENT_HISTORY: { title: 'The series is too short', advice: null },
  RATE_LIMITED: { title: 'Too many requests', advice: 'Nothing is lost. Everything works again after a short wait.' },
  QUOTA_EXCEEDED: { title: 'Your limit is reached', advice: null },
  PROVIDER_FAILED: {
    title: 'The data provider does not respond',
    advice: 'Series that are bundled or already stored still open, and so do all forecasts.',
  },
  UNAVAILABLE: {
    title: 'Temporarily unavailable',
    advice: 'The service is busy or under maintenance. Nothing that was saved is lost.',
  },
  INTERNAL: {
    title: 'Something went wrong',
    advice:
      'This is an error on our side. Try again. If it happens again, send the operator of this site the request id below.',
  },
  OFFLINE: { title: 'No connection', advice: 'What this page already shows stays here.' },
  UNREADABLE: { title: 'Something went wrong', advice: null },
};

const OTHER: ProblemWords = { title: 'This did not work', advice: null };

/** Returns the words for a code of an error. */
export function describeProblem(code: string): ProblemWords {
  return (Object.hasOwn(WORDS, code) && WORDS[code as ProblemCode]) || OTHER;
}

/** Returns a message without its request to wait, for a place that counts down the seconds. */
export function withoutWait(message: string): string {
  return message.replace(/ Wait \d+ s(?: and try again)?\.$/, '');
}

/** @example formatWait(90) // 2 minutes */
export function formatWait(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [Math.max(1, Math.ceil(seconds)), 'second']
      : seconds < 3600
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Messages that speak of the API, by how they begin, and what a page shows instead. */
const IN_PAGES: readonly (readonly [RegExp, string])[] = [
  [/^cursor: /, 'This link to the next results no longer works. Search again from the start.'],
  [/^snapshot_id: no snapshot/, 'These stored rows are no longer kept. Read the current rows instead.'],
  [/^No forecast has this id or slug\./, 'There is no forecast at this address.'],
  [/^This address does not exist\./, 'This address does not exist.'],
];

/** A fault names its field first, as `source.symbol: `, or a code. */
const FIELD = /^([a-z_]+(?:[.[][^:\s]*)?|[A-Z]+(?:_[A-Z]+)+): (?=\S)/;
/** How a message begins that continues the name of its field. */
const CONTINUES = /^(?:must|is|are|cannot|has|have|may|follows|requires|appears|needs)\b/;

/**
 * Returns the message of an error for a page, whose visitors know no names of fields.
 *
 * @example toPageWords('source.symbol: no provider has an instrument "X".') // No provider has an instrument "X".
 */
export function toPageWords(message: string): string {
  const known = IN_PAGES.find(([start]) => start.test(message));
  if (known !== undefined) return known[1];
  const [prefix = '', path = ''] = FIELD.exec(message) ?? [];
  const rest = message.slice(prefix.length);
  if (!CONTINUES.test(rest) || prefix === '') return prefix === '' ? message : capitalize(rest);
  const name = path.replace(/\[.*$/, '').split('.').at(-1) ?? '';
  return `${capitalize(name.replaceAll('_', ' '))} ${rest}`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
