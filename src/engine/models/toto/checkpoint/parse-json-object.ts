import { CheckpointError, type CheckpointErrorCode } from './checkpoint-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that UTF-8 bytes hold, with its text; anything else is an error with the given code. */
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
