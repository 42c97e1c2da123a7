/**
 * Every error code of the API, with its HTTP status and the situation that causes it.
 * The error page in docs/ and the error responses of the OpenAPI document are generated from this table.
 */
export const ERROR_CATALOG = {
  INVALID_REQUEST: {
    status: 400,
    when: 'The request is malformed, or a field is missing, unknown or out of range. The message names the field.',
  },
  UNAUTHENTICATED: { status: 401, when: 'The credential is missing, malformed, expired or revoked.' },
  SCOPE_DENIED: { status: 403, when: 'The credential does not have the scope that the operation needs.' },
  SOURCE_DENIED: {
    status: 403,
    when: 'The source is outside what this service reads, such as a warehouse table of another project than the one of the public datasets. Nothing was sent.',
  },
  PLAN_REQUIRED: {
    status: 403,
    when: 'API access needs the pro or enterprise plan, or an administrator with a verified email address.',
  },
  LICENSE_DENIED: {
    status: 403,
    when: 'The operator of the service has denied the license of a model or of the data. The message names the license.',
  },
  WORKSPACE_DENIED: {
    status: 403,
    when: 'The workspace does not exist, the caller is not a member of it, or the caller’s role or resource scope does not allow the action.',
  },
  ACCOUNT_REQUIRED: { status: 403, when: 'The operation needs a registered account; a guest session is not enough.' },
  SESSION_REQUIRED: {
    status: 403,
    when: 'The operation needs a browser session; an API key or an access token is not enough.',
  },
  ADMINISTRATOR_REQUIRED: { status: 403, when: 'The operation is only for administrators.' },
  ACCOUNT_LOCKED: {
    status: 403,
    when: 'An administrator locked the account. Only a sign-in with the right password returns this code; keys, tokens, sessions and feeds of a locked account are refused as if they were revoked.',
  },
  EMAIL_NOT_VERIFIED: { status: 403, when: 'The account must verify its email address first.' },
  OWNERSHIP_REQUIRED: {
    status: 403,
    when: 'The object belongs to another account or guest, and the request has no valid proof of ownership.',
  },
  ORIGIN_DENIED: {
    status: 403,
    when: 'A page on another site made the browser send a write request with cookies, or used /mcp from an origin that is not configured.',
  },
  NOT_FOUND: { status: 404, when: 'The route or object does not exist, or the caller may not see it.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path does not support this method. The Allow header lists the methods that it supports.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: 'The object has changed since the version in If-Match was read. Read it again and repeat the change.',
  },
  CONFLICT: { status: 409, when: 'The request conflicts with the current state of the object.' },
  NOT_COMPLETED: { status: 409, when: 'The forecast has not completed yet.' },
  IDEMPOTENCY_MISMATCH: { status: 409, when: 'The idempotency key was used earlier with a different request.' },
  LIMIT_REACHED: {
    status: 409,
    when: 'The account or workspace has reached the maximum number of these objects, or of the bytes that it can store.',
  },
  TOO_LARGE: { status: 413, when: 'The request body exceeds its size limit.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The operation does not accept the media type of the body.' },
  UNPROCESSABLE: { status: 422, when: 'The request is well formed but cannot be carried out.' },
  INSUFFICIENT_HISTORY: {
    status: 422,
    when: 'The series has too few observations. The message states how many are needed.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'There were too many requests in the current window. Wait the number of seconds in Retry-After and try again.',
  },
  QUOTA_EXCEEDED: {
    status: 429,
    when: 'The plan has no free slot or too few credits left for the forecast. The message states what is left.',
  },
  INTERNAL: { status: 500, when: 'An unexpected error occurred. The log contains the details under the request id.' },
  PROVIDER_FAILED: { status: 502, when: 'A data provider failed or returned an invalid response.' },
  UNAVAILABLE: {
    status: 503,
    when: 'The service cannot respond now, because of a database conflict, overload or shutdown. While the queue or the event loop is late, only new forecasts and uploads get it. Wait the number of seconds in Retry-After and try again.',
  },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

export const ERROR_CODES = Object.keys(ERROR_CATALOG) as [ErrorCode, ...ErrorCode[]];
