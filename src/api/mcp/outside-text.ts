import { cleanText, removeInvisible } from '../../platform/index.ts';

/** Maximum length of a text that other people wrote, such as the title of a series. */
const MAX_OUTSIDE_TEXT = 200;
/** Maximum length of a sentence that this service wrote. */
const MAX_OWN_TEXT = 1_000;

/** What a cut within a character leaves of it. */
const HALF = /\ufffd$/;

/** The fields whose texts this service makes: tables of numbers, handles, cursors and addresses. They stay as they are. */
const OWN_FIELDS = new Set(['series', 'next_cursor', 'rows_csv', 'table_csv', 'matches_csv', 'page_url']);
/** The fields with sentences of this service. A message can quote a value that was sent. */
const SENTENCE_FIELDS = new Set(['sentence', 'warnings', 'next_step', 'message']);

/** Returns a text that other people wrote as one short line. It is data for the agent, whatever it states. */
export function cleanOutsideText(text: string, maxLength: number = MAX_OUTSIDE_TEXT): string {
  return cleanText(removeInvisible(text.slice(0, 16 * maxLength)), maxLength).replace(HALF, '');
}

/**
 * Returns the data of a result with every text cleaned. All texts count as written by other people, except those of the
 * fields above, so that a field that is added later is cleaned as well.
 */
export function cleanResult<Data>(data: Data): Data {
  return cleanField(data, '') as Data;
}

function cleanField(value: unknown, field: string): unknown {
  if (typeof value === 'string') {
    if (OWN_FIELDS.has(field)) return value;
    return cleanOutsideText(value, SENTENCE_FIELDS.has(field) ? MAX_OWN_TEXT : MAX_OUTSIDE_TEXT);
  }
  if (Array.isArray(value)) return value.map((item) => cleanField(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cleanOutsideText(name), cleanField(inner, name)]),
  );
}
