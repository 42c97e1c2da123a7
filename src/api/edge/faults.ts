import { formatBytes, MAX_OBJECT_FIELDS } from '../../contract/body-limits.ts';
import { Fault } from '../../contract/fault.ts';

// Requests that cannot be read.

export function invalidHttp(): Fault {
  return new Fault('INVALID_REQUEST', 'This is not a valid HTTP request.');
}

export function headersTooLarge(): Fault {
  return new Fault('INVALID_REQUEST', 'The request headers are too large. Shorten the URL, cookies or headers.', {
    status: 431,
  });
}

export function headTimedOut(ms: number): Fault {
  return timedOut(`The request headers did not arrive within ${formatSeconds(ms)}.`);
}

export function bodyTimedOut(ms: number): Fault {
  return timedOut(`The request body did not arrive within ${formatSeconds(ms)}.`);
}

export function uploadTimedOut(ms: number): Fault {
  return timedOut(`The file did not arrive within ${formatSeconds(ms)}.`);
}

export function uploadStalled(ms: number): Fault {
  return timedOut(`The upload stopped: no data arrived for ${formatSeconds(ms)}.`);
}

function timedOut(message: string): Fault {
  return new Fault('INVALID_REQUEST', message, { status: 408 });
}

/** @example formatSeconds(60_000) // 60 seconds */
function formatSeconds(ms: number): string {
  return ms === 1_000 ? 'one second' : `${ms / 1_000} seconds`;
}

export function incompleteRequest(): Fault {
  return new Fault('INVALID_REQUEST', 'The connection ended before the whole request had arrived.');
}

export function unreadableRequest(reason: string | undefined): Fault {
  return new Fault('INVALID_REQUEST', `The request cannot be read: ${reason}.`);
}

export function undecodableUrl(): Fault {
  return new Fault('INVALID_REQUEST', 'The URL of the request cannot be decoded. Check its percent-encoding.');
}

export function invalidHostHeader(): Fault {
  return new Fault('INVALID_REQUEST', 'The request must have exactly one Host header.');
}

export function plainHttpRefused(siteUrl: string): Fault {
  return new Fault('INVALID_REQUEST', `Plain HTTP is not supported. Use ${siteUrl}.`);
}

export function routeNotFound(): Fault {
  return new Fault('NOT_FOUND', 'This address does not exist. See /docs for the API.');
}

export function methodNotAllowed(methods: string): Fault {
  return new Fault('METHOD_NOT_ALLOWED', `This address allows only ${methods}.`);
}

// Bodies and fields.

/** @param message names the invalid fields and what is wrong with each */
export function invalidFields(message: string): Fault {
  return new Fault('INVALID_REQUEST', message);
}

export function bodyNotJson(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
}

export function unreadableContentType(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type header is invalid. Send application/json.');
}

export function bodyEncoded(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.');
}

/** @param hasRows whether the body can contain inline rows, which can also be uploaded as a file */
export function bodyTooLarge(maxBytes: number, hasRows = false): Fault {
  const remedy = hasRows
    ? ' Upload larger data as a CSV file to a workspace (POST /v1/workspaces/{workspace_id}/csv) and use a source of the type workspace_csv.'
    : '';
  return new Fault('TOO_LARGE', `The request body exceeds the size limit of ${formatBytes(maxBytes)}.${remedy}`);
}

export function formTooLarge(): Fault {
  return new Fault('TOO_LARGE', 'The request body exceeds the size limit.');
}

export function tooManyBodies(max: number, minBytes: number): Fault {
  return new Fault(
    'RATE_LIMITED',
    `You can send at most ${max} request bodies over ${formatBytes(minBytes)} at a time. Wait for the response to one of them.`,
  );
}

export function bodyMemoryFull(): Fault {
  return new Fault('UNAVAILABLE', 'The service is busy with other large requests. Try again shortly.', {
    retryAfter: 2,
  });
}

export function bodyTooSlow(bytesPerSecond: number): Fault {
  return timedOut(`The request body arrived more slowly than ${formatBytes(bytesPerSecond)} per second.`);
}

export function tooManyValues(max: number): Fault {
  return new Fault('INVALID_REQUEST', `The request body has more than ${max} fields and list items.`);
}

export function tooManyOtherValues(max: number): Fault {
  return new Fault('INVALID_REQUEST', `The request body has more than ${max} fields and list items besides its rows.`);
}

export function tooManyFields(): Fault {
  return new Fault('INVALID_REQUEST', `An object of the request body has more than ${MAX_OBJECT_FIELDS} fields.`);
}

export function bodyEmpty(): Fault {
  return new Fault('INVALID_REQUEST', 'The request body is empty. Send a JSON object.');
}

export function bodyNotUtf8(): Fault {
  return new Fault('INVALID_REQUEST', 'The request body is not valid UTF-8.');
}

export function bodyTooDeep(max: number): Fault {
  return new Fault('INVALID_REQUEST', `The request body is nested deeper than ${max} levels.`);
}

export function invalidJson(reason: string): Fault {
  return new Fault('INVALID_REQUEST', `The request body is not valid JSON: ${reason}.`);
}

export function protoFieldRefused(): Fault {
  return new Fault('INVALID_REQUEST', 'body: the field name "__proto__" is not allowed.');
}

export function uploadTypeRequired(mediaType: string): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', `Send the file with the Content-Type ${mediaType}.`);
}

export function uploadEncoded(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the file without a Content-Encoding.');
}

export function uploadTooLarge(maxBytes: number): Fault {
  return new Fault('TOO_LARGE', `The file exceeds the size limit of ${maxBytes / 1024 ** 2} MiB.`);
}

export function invalidMediaTypeParameter(
  code: 'UNSUPPORTED_MEDIA_TYPE' | 'INVALID_REQUEST',
  name: string,
  choices: readonly string[],
): Fault {
  return new Fault(code, `${name}: must be one of ${choices.join(', ')}.`);
}

export function multipartRequired(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the form as multipart/form-data, without a Content-Encoding.');
}

/** @param reason what is wrong with the parts of the form */
export function multipartInvalid(reason: string): Fault {
  return new Fault('INVALID_REQUEST', `The form cannot be read: ${reason}.`);
}
