import { z } from 'zod';
import { isWritable, YEAR_RULE } from './read-timestamp.ts';

/**
 * Text from a caller. It must not contain NUL, which PostgreSQL cannot store, or lone surrogates, which UTF-8 cannot
 * represent. The stored text is therefore always the text that was sent.
 */
export function text(limits: { min?: number; max: number }) {
  return z
    .string()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine(isStorableText, { error: 'must not contain NUL or lone surrogate characters' });
}

export function isStorableText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/** Values by name. A body has at most a few hundred fields in one object, so that few values are checked in vain. */
export function record<Key extends z.ZodString, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { max }: { readonly max: number },
) {
  return z
    .record(key, value)
    .refine((names) => Object.keys(names).length <= max, { error: `must have at most ${max} fields` })
    .meta({ maxProperties: max });
}

/** An instant in a response: ISO 8601 with milliseconds and Z. */
export const instant = () => z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-31T09:30:00.000Z'] });

/**
 * An instant from a caller, with any offset. In UTC its year must be between 0001 and 9999, because neither the
 * database nor responses accept other years. The offset is applied first: it can move an instant near either end out of
 * this range.
 */
export const timestamp = () =>
  z.iso
    .datetime({
      offset: true,
      abort: true,
      error: 'must be a date and time with an offset, such as 2024-01-31T00:00:00Z',
    })
    .refine(hasFourDigitYear, { error: YEAR_RULE });

function hasFourDigitYear(value: string): boolean {
  return isWritable(Date.parse(value));
}

/** A calendar date. */
export const isoDate = () =>
  z.iso.date({ error: 'must be a date, such as 2020-01-31' }).meta({ examples: ['2020-01-31'] });

/** An id or slug. Its length is checked before it is sent to the database. */
export const identifier = () => text({ max: 100 });

export const email = () =>
  z
    .email()
    .max(254)
    .transform((address) => address.toLowerCase());

/**
 * Number of characters of a field name that a message shows: callers can send unknown fields with names of any length.
 */
const MAX_SHOWN_NAME = 60;

/**
 * Formats the path of a field for an error message.
 *
 * @example formatFieldPath(['resource_scope', 'csv', 'ids', 0]) // resource_scope.csv.ids[0]
 */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${String(key).slice(0, MAX_SHOWN_NAME)}`,
    )
    .join('');
}
