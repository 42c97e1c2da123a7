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

/** An id or slug in a path. The length is bounded so that no lookup is made for something that cannot be one. */
export const identifier = () => text({ max: 100 });

export const email = () =>
  z
    .email()
    .max(254)
    .transform((address) => address.toLowerCase());
