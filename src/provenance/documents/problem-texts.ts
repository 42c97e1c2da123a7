import type { z } from 'zod';
import { formatFieldPath } from '../../contract/index.ts';

const MAX_TEXTS = 20;
const MAX_TEXT_LENGTH = 200;

/**
 * Returns the first texts, each shortened, because they quote the file, which may be long and malicious.
 *
 * @param more the text that is added if there are more
 */
export function limitTexts(texts: Iterable<string>, more: string): string[] {
  const shown: string[] = [];
  for (const text of texts) {
    if (shown.length === MAX_TEXTS) return [...shown, more];
    shown.push(shorten(text).toWellFormed());
  }
  return shown;
}

function shorten(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** Yields the issues of a schema as problems. */
export function* formatIssues(
  issues: readonly z.core.$ZodIssue[],
  whole: string,
  prefix: readonly string[] = [],
): Generator<string> {
  for (const { path, message } of issues) {
    const full = [...prefix, ...path];
    yield `${full.length > 0 ? formatFieldPath(full) : whole}: ${message}.`;
  }
}
