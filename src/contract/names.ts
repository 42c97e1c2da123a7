import { z } from 'zod';

/**
 * Control characters, which include the ASCII line breaks, and the Unicode line and paragraph separators, which have
 * their own classes.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Characters that change the display order of a string and of the text that follows it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** A visible character: not a blank, an ignorable character or a combining mark. U+2800 is a blank braille pattern. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns the schema for a name that an account chooses, such as the name of a workspace, file, forecast or key. A name
 * must be one visible line, without characters that could make it look like another name. Surrounding blanks are
 * removed.
 */
export function name(limits: { max: number }) {
  return z
    .string()
    .trim()
    .min(1)
    .max(limits.max)
    .refine((text) => text === '' || findNameProblem(text) === null, {
      error: ({ input }) => findNameProblem(String(input)) ?? '',
    });
}

/** Returns the rule that a name breaks, worded to follow a field name ("must …"), or null if the name is valid. */
export function findNameProblem(text: string): string | null {
  if (!text.isWellFormed()) return 'must not contain lone surrogate characters';
  if (CONTROLS.test(text)) return 'must be one line without control characters';
  if (DIRECTION_CONTROLS.test(text)) {
    return 'must not contain characters that change the text direction (U+202A to U+202E, U+2066 to U+2069)';
  }
  return VISIBLE.test(text) ? null : 'must contain a visible character';
}
