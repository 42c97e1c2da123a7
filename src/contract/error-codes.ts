/**
 * Every error the service can answer: its HTTP status and when it happens.
 * The error page in docs/ and the responses of the OpenAPI document are made from this table.
 */
export const ERROR_CATALOGUE = {
  INVALID_REQUEST: {
    status: 400,
    when: 'The request is malformed or a field is missing, unknown or out of range. The message names the field.',
  },
  UNAUTHENTICATED: { status: 401, when: 'The credential is missing, malformed, expired or revoked.' },
  SCOPE_DENIED: { status: 403, when: 'The credential does not carry the scope that the operation needs.' },
  PLAN_REQUIRED: { status: 403, when: 'API access needs the pro or enterprise plan, or a verified administrator.' },
  LICENSE_DENIED: {
    status: 403,
    when: 'A model or the data are under a licence that whoever runs the service has denied. The message names it.',
  },
  WORKSPACE_DENIED: {
    status: 403,
    when: 'The workspace does not exist for the caller, or the role or resource scope does not allow the action.',
  },
  ACCOUNT_REQUIRED: { status: 403, when: 'The operation needs a registered account; a guest session is not enough.' },
  SESSION_REQUIRED: {
    status: 403,
    when: 'The operation is for a person signed in at a browser; an API key or an access token is not enough.',
  },
  EMAIL_NOT_VERIFIED: { status: 403, when: 'The account must verify its e-mail address first.' },
  OWNERSHIP_REQUIRED: {
    status: 403,
    when: 'The thing belongs to somebody else and no ownership proof was presented, or no such proof is given for it.',
  },
  ORIGIN_DENIED: { status: 403, when: 'A browser sent a write with a cookie from another site.' },
  NOT_FOUND: { status: 404, when: 'There is no such route or thing, or it is not the caller’s to see.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists, but not with this method. The Allow header lists those that do.',
  },
  CONFLICT: { status: 409, when: 'The request contradicts the present state of the thing.' },
  NOT_COMPLETED: { status: 409, when: 'The forecast has not completed yet.' },
  IDEMPOTENCY_MISMATCH: { status: 409, when: 'The idempotency key was used before with another request.' },
  LIMIT_REACHED: { status: 409, when: 'The account or the workspace holds as many of these things as it may.' },
  TOO_LARGE: { status: 413, when: 'The request body is over its size limit.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The body is not in a media type that the operation reads.' },
  UNPROCESSABLE: { status: 422, when: 'The request is well formed but cannot be carried out.' },
  INSUFFICIENT_HISTORY: {
    status: 422,
    when: 'The series has too few observations. The message says how many are needed.',
  },
  RATE_LIMITED: { status: 429, when: 'Too many requests in the present window. Retry-After says when to come back.' },
  QUOTA_EXCEEDED: { status: 429, when: 'Concurrent jobs or monthly credits of the plan are used up.' },
  INTERNAL: { status: 500, when: 'An unexpected fault. The request id finds it in the log.' },
  PROVIDER_FAILED: { status: 502, when: 'An outside data provider failed or answered nonsense.' },
  UNAVAILABLE: {
    status: 503,
    when: 'The service cannot answer just now (database conflict, overload, shutdown). Try again after Retry-After.',
  },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];
