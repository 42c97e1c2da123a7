import type { Denial } from '../access/index.ts';
import { formatBytes, MAX_OBJECT_FIELDS } from '../contract/body-limits.ts';
import { Fault } from '../contract/fault.ts';
import type { ForecastStatus } from '../contract/index.ts';

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

export function clientDisconnected(): Fault {
  return new Fault('INVALID_REQUEST', 'The client closed the connection before the response was sent.');
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

export function formTypeRequired(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the form as application/x-www-form-urlencoded in UTF-8.');
}

export function duplicateFormField(name: string): Fault {
  return new Fault('INVALID_REQUEST', `${name.slice(0, 60)}: appears twice. Send each field once.`);
}

export function formNotUtf8(): Fault {
  return new Fault('INVALID_REQUEST', 'The form is not valid UTF-8.');
}

export function snapshotRowsFixed(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'snapshot_id: cannot be combined with limit or cutoff, because the rows of a snapshot are fixed.',
  );
}

export function invalidLastEventId(): Fault {
  return new Fault('INVALID_REQUEST', 'Last-Event-ID: must be a whole number, the id of an event of this stream.');
}

// Callers and their credentials.

export function credentialRefused(): Fault {
  return new Fault('UNAUTHENTICATED', 'The credential is malformed, unknown, expired or revoked.');
}

export function accessTokenRequired(): Fault {
  return new Fault('UNAUTHENTICATED', 'Send a valid access token: Authorization: Bearer …');
}

export function wrongEmailOrPassword(): Fault {
  return new Fault('UNAUTHENTICATED', 'The email address or the password is wrong.');
}

export function wrongCurrentPassword(): Fault {
  return new Fault('INVALID_REQUEST', 'current_password: is not the password of this account.');
}

export function foreignOrigin(): Fault {
  return new Fault(
    'ORIGIN_DENIED',
    'Browsers can send this request only from a page of this site. From other sites, use an API key without cookies.',
  );
}

/** Returns the fault for a caller that the policy denies an action. */
export function callerDenied(code: Denial, missingScope?: string): Fault {
  return new Fault(code, DENIALS[code](missingScope), missingScope ? { missingScope } : {});
}

const DENIALS: Record<Denial, (missingScope?: string) => string> = {
  UNAUTHENTICATED: () => 'Send an API key: Authorization: Bearer alm_pat_…',
  ACCOUNT_REQUIRED: () => 'This operation needs a registered account; a guest session is not enough.',
  SESSION_REQUIRED: () => 'Sign in with a browser: this operation does not accept API keys or access tokens.',
  PLAN_REQUIRED: () => 'API access needs the pro or enterprise plan.',
  SCOPE_DENIED: (scope) => `The credential does not have the scope ${scope}.`,
  EMAIL_NOT_VERIFIED: () => 'Verify your email address first: POST /v1/me/verification sends you a link.',
  WORKSPACE_DENIED: () => 'The workspace does not exist, or you are not a member of it.',
};

export function sessionNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No active session has this id.');
}

export function apiKeyNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No API key with this id can be revoked with this credential.');
}

// Limits.

/** @param weight number of requests that the refused request counts as */
export function rateLimited(
  {
    limit,
    remaining,
    resetSeconds,
  }: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number },
  weight = 1,
): Fault {
  const wait = `Wait ${resetSeconds} s and try again.`;
  const message =
    weight > 1
      ? `This request counts as ${weight} of your ${limit} requests a minute, and ${remaining} are left. ${wait}`
      : `More than ${limit} requests a minute. ${wait}`;
  return new Fault('RATE_LIMITED', message, { retryAfter: resetSeconds });
}

export function tooManyUnknownCredentials(retryAfter: number): Fault {
  const message = `Too many unknown credentials from your network. Wait ${retryAfter} s and try again.`;
  return new Fault('RATE_LIMITED', message, { retryAfter });
}

export function tooManyHeavyRequests(max: number): Fault {
  const requests = max === 1 ? 'one request' : `${max} requests`;
  const message = `You can have ${requests} of this kind running at the same time. Wait for one to finish.`;
  return new Fault('RATE_LIMITED', message, { retryAfter: 1 });
}

export function tooMuchHeavyWork(retryAfter: number): Fault {
  return new Fault('UNAVAILABLE', 'The service is busy with requests of this kind. Try again shortly.', { retryAfter });
}

const ATTEMPTS = {
  guest_session: 'new guest sessions from your network',
  password: 'password attempts for this account',
  verification: 'requests for a verification email',
  sign_up: 'sign-ups from your network',
  sign_up_confirmation: 'sign-up confirmations from your network',
  reset_request: 'requests for a password reset from your network',
  reset: 'password resets from your network',
} as const;

/** A kind of attempt that has its own limit in addition to the limit for all requests. */
export type Attempt = keyof typeof ATTEMPTS;

export function tooManyAttempts(attempt: Attempt, retryAfter: number): Fault {
  return new Fault('RATE_LIMITED', `Too many ${ATTEMPTS[attempt]}. Wait ${retryAfter} s and try again.`, {
    retryAfter,
  });
}

export function tooManyStreams(max: number): Fault {
  return new Fault('RATE_LIMITED', `You can have at most ${max} open event streams. Close one first.`);
}

// Forecasts.

export function noProofYet(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `The forecast is ${status}. Only completed forecasts have a proof.`);
}

export function noResultYet(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `The forecast is ${status}. Only completed forecasts can be exported.`);
}

// Faults of the service.

export function databaseConflict(): Fault {
  return new Fault('UNAVAILABLE', 'The database was busy with a conflicting change. Try again.');
}

export function databaseUnavailable(): Fault {
  return new Fault('UNAVAILABLE', 'The database is unavailable. Try again shortly.', { retryAfter: 5 });
}

export function storageFull(): Fault {
  return new Fault(
    'UNAVAILABLE',
    'The service cannot store anything at present. Reading still works. Try again later.',
    {
      retryAfter: 30,
    },
  );
}

export function internalError(): Fault {
  return new Fault('INTERNAL', 'An unexpected error occurred. The log has the details under this request id.');
}
