import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySignal } from './activity-signal.ts';
import { type ApiResponse, callAnyApi } from './call-any-api.ts';
import type { Installation } from './installation.ts';
import type { PlannedForecast } from './plan-forecasts.ts';

/** The outcome of a planned forecast, according to the responses. */
export interface RequestOutcome {
  readonly planned: PlannedForecast;
  /** Acknowledged ids: more than one is a violation. */
  readonly ids: Set<string>;
  /** Requests without a response. */
  unanswered: number;
  /** The state in the response to the cancellation. */
  canceled: { readonly status: string; readonly code: string | null } | null;
  /** Unexpected responses. */
  readonly violations: string[];
}

const RETRY_MS = 300;

/** Sends every request when it is due. Resolves when each request has a response or was abandoned. */
export function sendRequests(
  installation: Installation,
  plan: readonly PlannedForecast[],
  activity: ActivitySignal,
  signal: AbortSignal,
): Promise<RequestOutcome[]> {
  return Promise.all(
    plan.map(async (planned) => {
      const outcome: RequestOutcome = { planned, ids: new Set(), unanswered: 0, canceled: null, violations: [] };
      await sleep(planned.dueMs);
      activity.emit();
      await create(installation, outcome, signal);
      const [id] = outcome.ids;
      if (id !== undefined && planned.cancelAfterMs !== null) await cancel(installation, outcome, id, signal);
      return outcome;
    }),
  );
}

async function create(installation: Installation, outcome: RequestOutcome, signal: AbortSignal): Promise<void> {
  const { planned } = outcome;
  const headers = { 'content-type': 'application/json', ...idempotencyHeader(planned) };
  const init = { method: 'POST', headers, body: JSON.stringify(planned.body) };
  const send = () => callAnyApi(installation, '/ensemble-forecasts', init);
  while (!signal.aborted) {
    const response = await send();
    if (response?.status === 202) {
      outcome.ids.add(String(response.data.forecast_id));
      // Some clients repeat the request although they got a response.
      if (planned.idempotencyKey === null || planned.cancelAfterMs !== null) return;
      const repeated = await send();
      if (repeated?.status === 202) outcome.ids.add(String(repeated.data.forecast_id));
      else if (repeated) outcome.violations.push(unexpected('a repeated request', repeated));
      return;
    }
    if (response === null) {
      outcome.unanswered += 1;
      // Without a key a repeated request could create a second forecast.
      if (planned.idempotencyKey === null) return;
    } else if (response.code !== 'QUOTA_EXCEEDED') {
      outcome.violations.push(unexpected('a request', response));
      return;
    }
    await sleep(RETRY_MS);
  }
  outcome.violations.push('could not be created in time');
}

function idempotencyHeader({ idempotencyKey }: PlannedForecast): Record<string, string> {
  return idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey };
}

async function cancel(
  installation: Installation,
  outcome: RequestOutcome,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await sleep(outcome.planned.cancelAfterMs ?? 0);
  while (!signal.aborted) {
    const response = await callAnyApi(installation, `/ensemble-forecasts/${id}/cancel`, { method: 'POST' });
    if (response?.status === 200) {
      const { status, error } = response.data as { status: string; error?: { code: string } };
      outcome.canceled = { status, code: error?.code ?? null };
      return;
    }
    if (response) {
      outcome.violations.push(unexpected('a cancellation', response));
      return;
    }
    outcome.unanswered += 1;
    await sleep(RETRY_MS);
  }
  outcome.violations.push('could not be canceled in time');
}

function unexpected(request: string, { status, text }: ApiResponse): string {
  return `${request} got ${status}: ${text.slice(0, 300)}`;
}
