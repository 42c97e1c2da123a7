/**
 * The maximum number of characters in a proof file. A proof with 365 steps of 21 quantiles for a dozen models has about
 * 3 million.
 */
export const MAX_PROOF_SIZE = 8 * 1024 * 1024;
const MAX_VALUES = 250_000;
const MAX_DEPTH = 64;

/**
 * Returns why a JSON text must not be parsed; null if it may be parsed. Mainly finds texts that two parsers could read
 * as different documents. Text that is not JSON is left for the parser to refuse.
 */
export function findTextProblem(text: string): string | null {
  if (text.length > MAX_PROOF_SIZE) return `The file has more than ${MAX_PROOF_SIZE} characters.`;
  /** The keys of each open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH) return `The file is nested more than ${MAX_DEPTH} levels deep.`;
    } else if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === '[' || character === ',') values++;
    if (values > MAX_VALUES) return `The file has more than ${MAX_VALUES} values.`;
    if (character !== '"') continue;
    const end = endOfString(text, at);
    const key = isFollowedByColon(text, end) ? decode(text.slice(at, end + 1)) : null;
    if (key === '__proto__') return 'The file has the key "__proto__", which some parsers drop.';
    if (key !== null && open.at(-1)?.has(key))
      return `The file has the key ${JSON.stringify(key)} twice in one object.`;
    if (key !== null) open.at(-1)?.add(key);
    at = end;
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Returns whether a string is a key: in JSON only keys are followed by a colon. */
function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? '!')) at++;
  return text[at] === ':';
}

/** Decodes a string literal, because escapes allow several spellings of one key. */
function decode(literal: string): string | null {
  try {
    return JSON.parse(literal);
  } catch {
    return null;
  }
}
