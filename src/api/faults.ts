import type { Denial } from '../access/index.ts';
import { Fault } from '../contract/fault.ts';
import type { ForecastStatus } from '../contract/index.ts';

// Bodies and streams.

export function clientDisconnected(): Fault {
  return new Fault('INVALID_REQUEST', 'The client closed the connection before the response was sent.');
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

export function decisionRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'decision: must be accept or decline.');
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

export function sessionEnded(): Fault {
  return new Fault(
    'UNAUTHENTICATED',
    'You are no longer signed in, so nothing was created or changed. Sign in again, then send the form once more.',
  );
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

export function exportEnded(): Fault {
  return new Fault('UNAUTHENTICATED', 'The session ended during the export.');
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
  SCOPE_DENIED: (scope) => `The credential does not have the scope ${scope?.replaceAll(' ', ' or ')}.`,
  ADMINISTRATOR_REQUIRED: () => 'This is only for administrators of the service.',
  EMAIL_NOT_VERIFIED: () => 'Verify your email address first: POST /v1/me/verification sends you a link.',
  WORKSPACE_DENIED: () => 'The workspace does not exist, or you are not a member of it.',
};

/** Returns the fault for a browser whose session belongs to a locked account. */
export function sessionLocked(): Fault {
  return new Fault(
    'UNAUTHENTICATED',
    'An administrator locked this account, so its sessions do not work. Nothing in it was deleted. Ask the operator of this service why.',
  );
}

export function accountRemoved(): Fault {
  return new Fault('NOT_FOUND', 'This account was removed.');
}

export function sessionNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No active session has this id.');
}

export function applicationNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No connected application has this id. Its access may already be revoked.');
}

export function assetNotFound(): Fault {
  return new Fault('NOT_FOUND', 'There is no such file. It may belong to another version: open the page again.');
}

/** One message for everything that is not public, so that it does not reveal what exists. */
export function publicPageNotFound(): Fault {
  return new Fault(
    'NOT_FOUND',
    'It may have been deleted or made private, or the address is mistyped. Ask the owner for the address.',
  );
}

export function seriesNotNamed(): Fault {
  return new Fault('INVALID_REQUEST', 'source: must be market, economic_series or warehouse_table.');
}

/** @param message names the parameter and the remedy */
export function invalidChoice(message: string): Fault {
  return new Fault('INVALID_REQUEST', message);
}

export function rangeOfFile(name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `${name}: a file of this series has all its rows. Leave it out, or choose the latest rows with limit.`,
  );
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
      ? `This request counts as ${weight} of your ${limit} requests a minute, but fewer are left (${remaining}). ${wait}`
      : `More than ${limit} requests a minute. ${wait}`;
  return new Fault('RATE_LIMITED', message, { retryAfter: resetSeconds });
}

export function tooManyUnknownCredentials(retryAfter: number): Fault {
  const message = `Too many unknown credentials from your network. Wait ${retryAfter} s and try again.`;
  return new Fault('RATE_LIMITED', message, { retryAfter });
}

/** @param waiting number of requests that can wait besides those that run */
export function tooManyHeavyRequests(running: number, waiting: number): Fault {
  const message = `You can have ${running} heavy requests running and ${waiting} waiting at the same time. Wait for one to finish.`;
  return new Fault('RATE_LIMITED', message, { retryAfter: 1 });
}

export function tooManyTransfers(max: number): Fault {
  const message = `You can have ${max} uploads and downloads running at the same time. Wait for one to finish.`;
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
  return new Fault('RATE_LIMITED', `You can have at most ${max} open event streams. Close one first.`, {
    retryAfter: 5,
  });
}

export function tooManyOpenStreams(): Fault {
  const message = 'The service has too many open event streams. Try again shortly, or read the forecast instead.';
  return new Fault('UNAVAILABLE', message, { retryAfter: 10 });
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
