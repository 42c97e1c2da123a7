import { createHash } from 'node:crypto';
import { canonicalResult } from '../../src/engine/index.ts';
import type { Outcome } from './place-orders.ts';
import type { StoredForecast } from './stored-forecasts.ts';

const ENDS = ['completed', 'failed'];

/** What is wrong with one forecast by itself. */
export function checkForecast({ events, ...forecast }: StoredForecast): string[] {
  const { status, result, result_sha256, content_cid } = forecast;
  const faults: string[] = [];
  if (!ENDS.includes(status)) return [`is ${status} still`];
  const ends = events.filter(({ kind }) => ENDS.includes(kind));
  if (ends.length !== 1) faults.push(`has ${ends.length} last events`);
  if (events.at(-1)?.kind !== status) faults.push(`is ${status}, its last event is ${events.at(-1)?.kind}`);
  if (events[0]?.kind !== 'queued') faults.push(`began with the event ${events[0]?.kind}`);
  if (events.some(({ number }, i) => number !== i + 1)) faults.push('has a gap in its events');
  if (status === 'completed') {
    if (result === null || content_cid === null) return [...faults, 'is completed without a result'];
    const sha256 = createHash('sha256').update(canonicalResult(result)).digest('hex');
    if (sha256 !== result_sha256) faults.push('has a result that is not the one that was hashed');
  } else if (result !== null) faults.push('failed and has a result');
  return faults;
}

/** Whether what is stored is what the customer was told. */
export function checkOutcome(outcome: Outcome, stored: readonly StoredForecast[]): string[] {
  const { order, ids, canceled } = outcome;
  const faults = [...outcome.faults];
  if (ids.size > 1) faults.push(`was acknowledged as ${[...ids].join(' and ')}`);
  if (stored.length > 1) faults.push(`is there ${stored.length} times`);
  for (const id of ids) if (!stored.some((forecast) => forecast.id === id)) faults.push(`${id} is lost`);
  const [forecast] = stored;
  if (canceled && forecast) {
    const { status, code } = forecast;
    if (!ENDS.includes(canceled.status)) faults.push(`was ${canceled.status} after its cancellation`);
    if (status !== canceled.status || code !== canceled.code)
      faults.push(`is ${status} ${code}, was ${canceled.status} ${canceled.code} after its cancellation`);
  }
  if (order.cancelAfterMs === null && forecast?.code === 'FORECAST_CANCELED') faults.push('was canceled by nobody');
  return faults;
}
