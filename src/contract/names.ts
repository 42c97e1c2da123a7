import { z } from 'zod';

/** Line breaks among them: those of ASCII are control characters, the others have classes of their own. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** They make a text be shown in another order than it is written in, also the text that comes after it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** Neither blank nor ignored where it is shown, nor a mark for a letter that is not there. (U+2800 is an empty pattern.) */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * What a person calls a thing, and others are shown: a workspace, a file, a forecast, a key. One rule for all of them,
 * so that no name can pass for something else, break a line or be nothing at all. Blanks around it are not part of it.
 */
export function name(limits: { max: number }) {
  return z
    .string()
    .trim()
    .min(1)
    .max(limits.max)
    .refine((text) => text === '' || nameProblem(text) === null, {
      error: ({ input }) => nameProblem(String(input)) ?? '',
    });
}

/** What is wrong with a name, as a sentence without its beginning; null: nothing. */
export function nameProblem(text: string): string | null {
  if (!text.isWellFormed()) return 'must not contain lone surrogate characters';
  if (CONTROLS.test(text)) return 'must be one line without control characters';
  if (DIRECTION_CONTROLS.test(text)) {
    return 'must not contain characters that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069)';
  }
  return VISIBLE.test(text) ? null : 'must have a character that can be seen';
}
