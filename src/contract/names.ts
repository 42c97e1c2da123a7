import { z } from 'zod';

/** Control characters and line breaks. The line breaks of ASCII are control characters; the others have their own classes. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Characters that change the display order of a text, and of the text after it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** A character that can be seen: not blank, not ignorable, not a combining mark alone. (U+2800 is an empty pattern.) */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns the schema of a name that one person chooses and others see: of a workspace, a file, a forecast or a key. One
 * rule serves all of them, so that no name can pass for another, break a line or be invisible. Surrounding blanks are
 * removed.
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

/** Returns what is wrong with a name, as the end of a sentence ("must …"), or null when the name is valid. */
export function nameProblem(text: string): string | null {
  if (!text.isWellFormed()) return 'must not contain lone surrogate characters';
  if (CONTROLS.test(text)) return 'must be one line without control characters';
  if (DIRECTION_CONTROLS.test(text)) {
    return 'must not contain characters that change the text direction (U+202A to U+202E, U+2066 to U+2069)';
  }
  return VISIBLE.test(text) ? null : 'must contain a visible character';
}
