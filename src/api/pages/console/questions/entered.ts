import { readField } from '../../forms.ts';

// What people type into forms, as the API expects it. A text that cannot be read is sent as it is: the API names the
// field and states what it expects.

/** Returns the trimmed text of a field; empty if it is missing. */
export function entered(form: unknown, name: string): string {
  return readField(form, name)?.trim() ?? '';
}

/** Returns the text of a field; undefined if it is empty, so that the default of the API applies. */
export function optional(form: unknown, name: string): string | undefined {
  return entered(form, name) || undefined;
}

const PERCENT = /^(\d{1,3}(?:[.,]\d{1,10})?)\s*%?$/;

/**
 * Reads a probability that was typed in percent.
 *
 * @example readPercent('62,5 %') // 0.625
 * @returns null if it is not a number from 0 to 100
 */
export function readPercent(text: string): number | null {
  const [, digits] = PERCENT.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  // 62.3 / 100 is not exactly 0.623.
  const share = Number((Number(digits.replace(',', '.')) / 100).toPrecision(12));
  return share <= 1 ? share : null;
}

/** Returns a probability as a form shows it. @example formatPercent(0.625) // 62.5 */
export function formatPercent(probability: number): string {
  return String(Number((probability * 100).toPrecision(10)));
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns a date as the last second of that day, in UTC. */
export function endOfDay(text: string): string {
  return DATE.test(text) ? `${text}T23:59:59Z` : text;
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/** Returns a date, or a date and time, as an instant in UTC; undefined if nothing was typed. */
export function toInstant(text: string): string | undefined {
  if (text === '') return undefined;
  if (DATE.test(text)) return `${text}T00:00:00Z`;
  if (!LOCAL.test(text)) return text;
  return text.length === 'YYYY-MM-DDThh:mm'.length ? `${text}:00Z` : `${text}Z`;
}
