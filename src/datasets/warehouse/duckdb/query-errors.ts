import type { Log } from '../../../platform/index.ts';
import { cellInvalid, csvLineInvalid, filesUnreadable, queryTooLarge } from './faults.ts';

/**
 * DuckDB's sentences about a text that cannot be converted to the type of its column. A part of the query follows them, so
 * that the text ends at the first place where it can.
 */
const CELL_ERRORS = [
  /^(?:Conversion|Invalid Input) Error: Could not convert string '([\s\S]*?)' to [A-Z]/,
  /^Conversion Error: (?:invalid (?:date|timestamp) field format|(?:date|timestamp) field value out of range): "([\s\S]*?)"(?:, expected |\n\nLINE |$)/,
];

/** Errors of these kinds are mistakes of the service, and never caused by a file or a request. */
const OWN_ERRORS = /^(?:Parser|Permission|Catalog|Parameter Not Resolved) Error: |^Only /;

/** Returns the error of a query whose message DuckDB wrote. The caller sees none of its words, which can contain paths. */
export function queryError(message: string, files: readonly string[], log: Pick<Log, 'warn'>): Error {
  if (message.startsWith('Out of Memory Error')) return queryTooLarge();
  for (const pattern of CELL_ERRORS) {
    const text = pattern.exec(message)?.[1];
    if (text !== undefined) return cellInvalid(text);
  }
  if (OWN_ERRORS.test(message)) return new Error(`DuckDB refused a query: ${message}`);
  log.warn({ reason: message, file: files[0], files: files.length }, 'the files of a warehouse table cannot be read');
  const line = /^Invalid Input Error: CSV Error on Line: (\d{1,15})\b/.exec(message)?.[1];
  return line === undefined ? filesUnreadable() : csvLineInvalid(Number(line));
}
