const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
/** A text is first cut to this multiple of its maximum length, so that a text of any size costs little. */
const FIRST_CUT = 16;

/** Characters without a picture of their own: they change directions, join letters or hide letters from people. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/gu;

/** Returns a text without invisible characters, with which one text could look like another. */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * Returns a text of a provider as one line: without what the database cannot store or a line cannot show, and cut to a
 * length.
 *
 * @example cleanText(' A\u0000B\n', 200) // A B
 */
export function cleanText(text: string, maxLength: number): string {
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  const line = text
    .slice(0, FIRST_CUT * maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.slice(0, maxLength).toWellFormed().trimEnd();
}
