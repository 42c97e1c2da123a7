import { z } from 'zod';

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
    .refine(hasFourDigitYear, { error: 'must be between the years 0001 and 9999' });

/** A timestamp, or a date, which means 00:00 UTC of that day. */
export const dateOrTimestamp = () =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error:
        'must be a date, such as 2024-01-31 (00:00 UTC), or a date and time with an offset, such as 2024-01-31T00:00:00Z',
    })
    .refine(hasFourDigitYear, { error: 'must be between the years 0001 and 9999' });

function hasFourDigitYear(value: string): boolean {
  const time = Date.parse(value);
  return time >= Date.parse('0001-01-01T00:00:00.000Z') && time <= Date.parse('9999-12-31T23:59:59.999Z');
}

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
