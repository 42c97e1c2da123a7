import type { OperationId } from '../operations.ts';
import { EXAMPLES } from './examples.ts';
import { RECORDED } from './recorded.ts';
import { fillIn } from './variables.ts';

/** A body with its media type. */
interface ShownBody {
  readonly mediaType: string;
  readonly value: unknown;
}

/** An example as the documentation shows it: with the values of the recorded run instead of variables. */
export interface ShownExample {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** `null`: the request has no body. */
  readonly request: ShownBody | null;
  /** `null`: the response is not text. */
  readonly response: ShownBody | null;
}

export function showExample(id: OperationId): ShownExample {
  const { params = {}, query = {}, body, file } = fillIn(EXAMPLES[id], RECORDED.variables);
  const { media_type: mediaType = '', json, text } = RECORDED.responses[id] ?? {};
  const value = json ?? text;
  return {
    params,
    query,
    request: body !== undefined ? { mediaType: 'application/json', value: body } : showFile(file),
    response: value === undefined ? null : { mediaType, value },
  };
}

function showFile(file: string | undefined): ShownBody | null {
  return file === undefined ? null : { mediaType: 'text/csv', value: file };
}
