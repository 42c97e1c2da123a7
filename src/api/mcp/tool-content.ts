import type { ErrorCode, Fault } from '../../contract/index.ts';
import { cleanOutsideText } from './outside-text.ts';
import type { ToolResult } from './tool.ts';

/** A part of what a client shows to its model. */
type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** The result of tools/call, as the protocol has it. */
export interface ToolAnswer {
  readonly [name: string]: unknown;
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * Returns the result of a tool as the protocol has it. The data are also a text, for clients that do not pass structured
 * content to their model.
 */
export function toAnswer({ summary, data, picture }: ToolResult<object>): ToolAnswer {
  const content: Content[] = [
    { type: 'text', text: summary },
    { type: 'text', text: JSON.stringify(data) },
  ];
  if (picture) {
    content.push({ type: 'image', data: Buffer.from(picture).toString('base64'), mimeType: 'image/png' });
  }
  return { content, structuredContent: data as Record<string, unknown> };
}

const MAX_MESSAGE = 1_000;

/**
 * Returns the failure of a tool: what went wrong, and what the agent can do next.
 *
 * @param forecastId a forecast that was created before the failure
 */
export function toFailure(fault: Fault, requestId: string, forecastId?: string): ToolAnswer {
  const described = describeFault(fault, requestId);
  const error = forecastId === undefined ? described : { ...described, ...afterCreation(fault, forecastId) };
  return { content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true };
}

function afterCreation({ details }: Fault, forecastId: string) {
  const next_step = `${waitFor(details)}The forecast was created. Call check_forecast with this forecast_id, not forecast again.`;
  return { forecast_id: forecastId, next_step };
}

function waitFor({ retryAfter }: Fault['details']): string {
  return retryAfter === undefined ? '' : `Wait ${retryAfter} s first. `;
}

/** Returns what an agent gets of a fault. */
export function describeFault({ code, message, details }: Fault, requestId: string) {
  return {
    code,
    message: cleanOutsideText(message, MAX_MESSAGE),
    request_id: requestId,
    next_step: `${waitFor(details)}${NEXT_STEPS[code]}`,
  };
}

const ASK_ACCOUNT = 'Report this to the person you work for. Calling again does not help.';
const CALL_AGAIN = 'Call the tool again with the same arguments.';
const CORRECT = 'Correct what the message names and call the tool again.';

/** What an agent can do after each fault. */
const NEXT_STEPS: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: CORRECT,
  UNAUTHENTICATED: 'Connect again: the credential is no longer valid.',
  SCOPE_DENIED: 'Ask the person you work for to connect you with a credential that has this scope.',
  SOURCE_DENIED: 'Choose another series with find_series.',
  PLAN_REQUIRED: ASK_ACCOUNT,
  LICENSE_DENIED: 'Choose another series with find_series, or leave out the model that the message names.',
  WORKSPACE_DENIED: ASK_ACCOUNT,
  ACCOUNT_REQUIRED: ASK_ACCOUNT,
  SESSION_REQUIRED: ASK_ACCOUNT,
  ADMINISTRATOR_REQUIRED: ASK_ACCOUNT,
  ACCOUNT_LOCKED: ASK_ACCOUNT,
  EMAIL_NOT_VERIFIED: 'Ask the person you work for to verify the email address of the account.',
  OWNERSHIP_REQUIRED: ASK_ACCOUNT,
  ORIGIN_DENIED: ASK_ACCOUNT,
  NOT_FOUND:
    'Check the id or the handle. find_series returns handles of series, forecast ids of forecasts, and ask_event ids of questions.',
  METHOD_NOT_ALLOWED: ASK_ACCOUNT,
  PRECONDITION_FAILED: CALL_AGAIN,
  CONFLICT: CORRECT,
  NOT_COMPLETED: 'Call check_forecast with the id until the forecast has completed, then call this tool again.',
  IDEMPOTENCY_MISMATCH: 'Use another request_key: this one belongs to a call with other arguments.',
  LIMIT_REACHED:
    'Report this to the person you work for: something has to be deleted first. my_limits shows the limits.',
  TOO_LARGE: 'Send less, for example only the latest rows.',
  UNSUPPORTED_MEDIA_TYPE: CORRECT,
  UNPROCESSABLE: CORRECT,
  INSUFFICIENT_HISTORY: 'Choose a series with more rows.',
  RATE_LIMITED: CALL_AGAIN,
  QUOTA_EXCEEDED: 'Call my_limits to see what is left. Wait for a running forecast to end, or use fewer models.',
  INTERNAL: 'Call the tool again once. If it fails again, report the request id to the operator of the service.',
  PROVIDER_FAILED: 'Call the tool again in a minute, or choose a series of another provider with find_series.',
  UNAVAILABLE: CALL_AGAIN,
};
