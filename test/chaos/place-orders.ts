import { setTimeout as sleep } from 'node:timers/promises';
import type { Bell } from './bell.ts';
import { type Answer, callAny } from './call-any.ts';
import type { Order } from './orders.ts';
import type { Scene } from './scene.ts';

/** What became of an order, as the customer was told. */
export interface Outcome {
  readonly order: Order;
  /** Ids that were acknowledged: more than one is a violation. */
  readonly ids: Set<string>;
  /** Times that nobody answered. */
  unanswered: number;
  /** The state that the answer to the cancellation showed. */
  canceled: { readonly status: string; readonly code: string | null } | null;
  /** Answers that nothing explains. */
  readonly faults: string[];
}

const TRY_AGAIN_MS = 300;

/** Places all orders when they are due. Resolves when each has been answered or given up. */
export function placeOrders(
  scene: Scene,
  orders: readonly Order[],
  busy: Bell,
  signal: AbortSignal,
): Promise<Outcome[]> {
  return Promise.all(
    orders.map(async (order) => {
      const outcome: Outcome = { order, ids: new Set(), unanswered: 0, canceled: null, faults: [] };
      await sleep(order.dueMs);
      busy.ring();
      await place(scene, outcome, signal);
      const [id] = outcome.ids;
      if (id !== undefined && order.cancelAfterMs !== null) await cancel(scene, outcome, id, signal);
      return outcome;
    }),
  );
}

async function place(scene: Scene, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const { order } = outcome;
  const headers = { 'content-type': 'application/json', ...keyOf(order) };
  const init = { method: 'POST', headers, body: JSON.stringify(order.body) };
  const send = () => callAny(scene, '/ensemble-forecasts', init);
  while (!signal.aborted) {
    const answer = await send();
    if (answer?.status === 202) {
      outcome.ids.add(String(answer.data.forecast_id));
      // Some customers are not sure that they have read the answer.
      if (order.idempotencyKey === null || order.cancelAfterMs !== null) return;
      const repeated = await send();
      if (repeated?.status === 202) outcome.ids.add(String(repeated.data.forecast_id));
      else if (repeated) outcome.faults.push(unexpected('a repeated request', repeated));
      return;
    }
    if (answer === null) {
      outcome.unanswered += 1;
      // Sent again without a key it might be done twice.
      if (order.idempotencyKey === null) return;
    } else if (answer.code !== 'QUOTA_EXCEEDED') {
      outcome.faults.push(unexpected('a request', answer));
      return;
    }
    await sleep(TRY_AGAIN_MS);
  }
  outcome.faults.push('could not be placed in time');
}

function keyOf({ idempotencyKey }: Order): Record<string, string> {
  return idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey };
}

async function cancel(scene: Scene, outcome: Outcome, id: string, signal: AbortSignal): Promise<void> {
  await sleep(outcome.order.cancelAfterMs ?? 0);
  while (!signal.aborted) {
    const answer = await callAny(scene, `/ensemble-forecasts/${id}/cancel`, { method: 'POST' });
    if (answer?.status === 200) {
      const { status, error } = answer.data as { status: string; error?: { code: string } };
      outcome.canceled = { status, code: error?.code ?? null };
      return;
    }
    if (answer) {
      outcome.faults.push(unexpected('a cancellation', answer));
      return;
    }
    outcome.unanswered += 1;
    await sleep(TRY_AGAIN_MS);
  }
  outcome.faults.push('could not be canceled in time');
}

function unexpected(what: string, { status, text }: Answer): string {
  return `${what} answered ${status}: ${text.slice(0, 300)}`;
}
