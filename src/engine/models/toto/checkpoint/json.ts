import { CheckpointError, type CheckpointErrorCode } from './checkpoint-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses UTF-8 bytes that hold a JSON object. Returns the object and its text. Throws a `CheckpointError` with the
 * given code if the bytes hold anything else.
 */
export function parseJsonObject(
  bytes: Uint8Array,
  what: string,
  code: CheckpointErrorCode,
): { readonly object: JsonObject; readonly text: string } {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new CheckpointError(code, `${what} is not JSON in UTF-8.`);
  }
  if (!isJsonObject(value)) throw new CheckpointError(code, `${what} is not a JSON object.`);
  return { object: value, text };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the top-level keys of an object in valid JSON text, including duplicates, of which `JSON.parse` silently
 * keeps only the last.
 */
export function topLevelKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && isFollowedByColon(json, end)) keys.push(JSON.parse(json.slice(at, end)) as string);
      at = end - 1;
    }
  }
  return keys;
}

/** Returns the position after the string that starts at a quotation mark. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isFollowedByColon(json: string, from: number): boolean {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++;
  return json[at] === ':';
}
