import { createHash } from 'node:crypto';
import { canonicalResult } from '../../src/engine/index.ts';
import { callAnyApi } from './call-any-api.ts';
import type { Installation } from './installation.ts';
import type { RequestOutcome } from './send-requests.ts';
import type { StoredForecast } from './stored-forecasts.ts';

const FINAL_STATES = ['completed', 'failed'];

/** Returns the violations of one stored forecast. */
export function findForecastViolations({ events, ...forecast }: StoredForecast): string[] {
  const { status, result, result_sha256, content_cid } = forecast;
  const violations: string[] = [];
  if (!FINAL_STATES.includes(status)) return [`is still ${status}`];
  const lastEvents = events.filter(({ kind }) => FINAL_STATES.includes(kind));
  if (lastEvents.length !== 1) violations.push(`has ${lastEvents.length} last events`);
  if (events.at(-1)?.kind !== status) violations.push(`is ${status}, its last event is ${events.at(-1)?.kind}`);
  if (events[0]?.kind !== 'queued') violations.push(`starts with the event ${events[0]?.kind}`);
  if (events.some(({ number }, i) => number !== i + 1)) violations.push('has a gap in its events');
  if (status === 'completed') {
    if (result === null || content_cid === null) return [...violations, 'is completed without a result'];
    const sha256 = createHash('sha256').update(canonicalResult(result)).digest('hex');
    if (sha256 !== result_sha256) violations.push('has a result that does not match its hash');
  } else if (result !== null) violations.push('failed and has a result');
  return violations;
}

/** Returns where the stored forecasts contradict the responses. */
export function findOutcomeViolations(outcome: RequestOutcome, stored: readonly StoredForecast[]): string[] {
  const { planned, ids, canceled } = outcome;
  const violations = [...outcome.violations];
  if (ids.size > 1) violations.push(`was acknowledged as ${[...ids].join(' and ')}`);
  if (stored.length > 1) violations.push(`is stored ${stored.length} times`);
  for (const id of ids) if (!stored.some((forecast) => forecast.id === id)) violations.push(`${id} is lost`);
  const [forecast] = stored;
  if (canceled && forecast) {
    const { status, code } = forecast;
    if (!FINAL_STATES.includes(canceled.status)) violations.push(`was ${canceled.status} after its cancellation`);
    if (status !== canceled.status || code !== canceled.code)
      violations.push(`is ${status} ${code}, was ${canceled.status} ${canceled.code} after its cancellation`);
  }
  if (planned.cancelAfterMs === null && forecast?.code === 'FORECAST_CANCELED')
    violations.push('was canceled without a request');
  return violations;
}

/** Reads every acknowledged forecast through the API and returns the violations. */
export async function findApiViolations(
  installation: Installation,
  outcomes: readonly RequestOutcome[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const { planned, ids } of outcomes) {
    for (const id of ids) {
      const response = await callAnyApi(installation, `/ensemble-forecasts/${id}`);
      const { status, predictions } = (response?.data ?? {}) as { status?: string; predictions?: unknown[] };
      const isComplete = status === 'completed' ? (predictions?.length ?? 0) > 0 : status === 'failed';
      if (!isComplete)
        violations.push(`${planned.title}: read as ${response?.status} ${status}, ${predictions?.length} predictions`);
    }
  }
  return violations;
}
