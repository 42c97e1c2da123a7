import { z } from 'zod';

/**
 * Text from a caller. NUL and lone surrogates are refused here, once: PostgreSQL cannot store the first,
 * and the second does not survive UTF-8, so that what was read back would not be what was sent.
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

/** An instant as the service writes it: ISO 8601 with milliseconds and Z. */
export const instant = () => z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-31T09:30:00.000Z'] });

/**
 * An instant from a caller, with any offset. It must have a year of four digits once it is written in UTC: storage
 * and our own form have no other, and an offset can push the first or the last hours of them over the edge.
 */
export const timestamp = () =>
  z.iso
    .datetime({
      offset: true,
      abort: true,
      error: 'must be a date and time with an offset, such as 2024-01-31T00:00:00Z',
    })
    .refine(isWritable, { error: 'must be between the years 0001 and 9999' });

function isWritable(value: string): boolean {
  const time = Date.parse(value);
  return time >= Date.parse('0001-01-01T00:00:00.000Z') && time <= Date.parse('9999-12-31T23:59:59.999Z');
}

/** An id or slug in a path. The length is bounded so that no lookup is made for something that cannot be one. */
export const identifier = () => text({ max: 100 });

export const email = () =>
  z
    .email()
    .max(254)
    .transform((address) => address.toLowerCase());
