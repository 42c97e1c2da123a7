import type { Attempt } from './attempt.ts';
import {
  type AlmanacError,
  ConnectionError,
  type ErrorDetails,
  errorForStatus,
  UnexpectedReplyError,
} from './errors.ts';
import { AlmanacFile } from './file.ts';
import type { Operation } from './request.ts';
import { readRetryAfter } from './retry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the reply to a call: the data without its envelope, or a file. */
export async function readReply(operation: Operation, response: Response, attempt: Attempt): Promise<unknown> {
  if (!response.ok) throw await readError(operation, response, attempt);
  if (!isJson(response)) {
    // A page of a proxy must not be taken for a file.
    if (!operation.file || !isFile(response) || response.body === null) throw unexpected(operation, response);
    return new AlmanacFile(response, attempt.guard(response.body));
  }
  if (operation.envelope === null) throw unexpected(operation, response);
  const text = await attempt.wait(response.text());
  const body = parse(text);
  if (operation.envelope === 'data' && isFields(body) && 'data' in body) return body.data;
  if (operation.envelope === 'ok' && isFields(body) && body.ok === true) {
    const { ok: _, ...data } = body;
    return data;
  }
  // A reply that a proxy cut off is not always an error of the connection. Replies of the service are JSON objects.
  const isCutOff = body === undefined && /^\s*(\{|$)/.test(text);
  throw isCutOff
    ? new ConnectionError('The reply ended too early.', { operation: operation.id })
    : unexpected(operation, response);
}

/** Reads the error of a reply, in either of the two forms that the service uses. */
export async function readError(operation: Operation, response: Response, attempt: Attempt): Promise<AlmanacError> {
  const { status, headers } = response;
  // The status alone is enough for an error.
  const body = isJson(response) ? parse(await attempt.wait(response.text())) : null;
  const error = isFields(body) && isFields(body.error) ? body.error : body;
  const { code, message, request_id: requestId } = (isFields(error) ? error : {}) as Fields;
  const details: ErrorDetails & { status: number } = {
    operation: operation.id,
    status,
    // The operations of Search and Download have the code in `error`.
    code: asText(code) ?? (isFields(body) ? asText(body.error) : undefined),
    requestId: asText(requestId) ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
  if (typeof message === 'string') return errorForStatus(message, details);
  if (status === 0 || (status >= 300 && status < 400)) return unexpected(operation, response);
  return errorForStatus(`The service replied with status ${status}.`, details);
}

function unexpected({ id }: Operation, response: Response): UnexpectedReplyError {
  const { status, headers } = response;
  const reason =
    status === 0 || (status >= 300 && status < 400)
      ? 'The reply is a redirect. Set url to the final address of the service.'
      : `The reply with status ${status} is not one of Almanac. Check url, and what stands between the client and it.`;
  return new UnexpectedReplyError(reason, {
    operation: id,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

/** Returns undefined for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

function isFile({ headers }: Response): boolean {
  return /^(text\/csv|application\/zip)\b/i.test(headers.get('content-type') ?? '');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
