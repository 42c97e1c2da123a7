import { Fault } from '../../contract/index.ts';
import {
  CANCELED,
  cancelForecast,
  createForecast,
  type ForecastRow,
  findForecast,
  knownCaller,
  listForecasts,
  listModels,
  proofOf,
  reproduceForecast,
  snapshotFacts,
  viewForecast,
  viewListed,
  viewStarted,
  watchEvents,
} from '../../jobs/index.ts';
import { csvCell, fileName, readSnapshot } from '../../snapshots/index.ts';
import { Attachment } from '../attachment.ts';
import type { Handlers } from '../call.ts';
import { EventStream, lastEventNumber } from '../event-stream.ts';
import type { ApiParts } from '../parts.ts';
import { Versioned } from '../versioned.ts';

const MOST_KEY_LENGTH = 200;

export const forecastHandlers = {
  async createForecast(call) {
    const { parts } = call;
    const caller = knownCaller(call.principal);
    const idempotencyKey = checkedKey(call.idempotencyKey);
    const id = await createForecast(parts.jobs, caller, call.body, { idempotencyKey, signal: call.signal });
    return viewStarted(await findForecast(parts.jobs, caller, id, 'forecast.read'));
  },

  async listForecasts(call) {
    const { forecasts, nextCursor } = await listForecasts(call.parts.jobs, knownCaller(call.principal), call.query);
    return { forecasts: forecasts.map(viewListed), next_cursor: nextCursor };
  },

  async readForecast(call) {
    const row = await find(call, 'forecast.read');
    const view = await viewOne(call.parts, row);
    return row.status === 'completed' ? new Versioned(view) : view;
  },

  async cancelForecast(call) {
    const { jobs } = call.parts;
    await cancelForecast(jobs, await find(call, 'forecast.cancel'));
    const row = await find(call, 'forecast.cancel');
    const isCanceled = row.error?.code === CANCELED.code;
    const worker_cancellation = isCanceled ? ('requested' as const) : ('not_needed' as const);
    return { ...(await viewOne(call.parts, row)), worker_cancellation };
  },

  async reproduceForecast(call) {
    const { jobs } = call.parts;
    const caller = knownCaller(call.principal);
    const id = await reproduceForecast(jobs, caller, await find(call, 'forecast.read'));
    return viewStarted(await findForecast(jobs, caller, id, 'forecast.read'));
  },

  async watchForecast(call) {
    const { id } = await find(call, 'forecast.read');
    const after = lastEventNumber(call.lastEventId);
    return new EventStream((signal) => watchEvents(call.parts, id, after, signal));
  },

  async readForecastProof(call) {
    const row = await find(call, 'forecast.read');
    const { result, fingerprint, finished_at, content_cid } = row;
    if (result === null || fingerprint === null || finished_at === null || content_cid === null) {
      throw new Fault('NOT_COMPLETED', `The forecast is ${row.status}; there is nothing to prove.`);
    }
    const snapshot = await readSnapshot(call.parts.jobs, row.snapshot_id);
    if (snapshot === null) throw new Error(`The snapshot of the forecast ${row.id} is gone.`);
    const document = proofOf({ ...row, result, fingerprint, finished_at }, snapshot);
    return { document: { ...document }, content_cid };
  },

  async listModels(call) {
    return listModels(call.parts.jobs, knownCaller(call.principal), call.query.workspace_id);
  },

  async exportForecast(call) {
    const row = await find(call, 'forecast.read');
    if (row.result === null) {
      throw new Fault('NOT_COMPLETED', `The forecast is ${row.status}; there is nothing to export.`);
    }
    const view = await viewOne(call.parts, row);
    return call.query.format === 'json' ? view : Attachment.file(csvOf(view), fileName([row.slug], 'csv'));
  },
} satisfies Partial<Handlers>;

interface ForecastCall {
  readonly parts: ApiParts;
  readonly principal: Parameters<typeof knownCaller>[0];
  readonly params: { readonly forecast_id: string };
}

function find({ parts, principal, params }: ForecastCall, action: 'forecast.read' | 'forecast.cancel') {
  return findForecast(parts.jobs, knownCaller(principal), params.forecast_id, action);
}

async function viewOne(parts: ApiParts, row: ForecastRow) {
  const [view] = await viewAll(parts, [row]);
  if (view === undefined) throw new Error(`The forecast ${row.id} has no view.`);
  return view;
}

async function viewAll({ jobs }: ApiParts, rows: readonly ForecastRow[]) {
  const facts = await snapshotFacts(
    jobs.database,
    rows.map(({ snapshot_id }) => snapshot_id),
  );
  return rows.map((row) => {
    const snapshot = facts.get(row.snapshot_id);
    if (snapshot === undefined) throw new Error(`The snapshot of the forecast ${row.id} is gone.`);
    return viewForecast(row, snapshot);
  });
}

function csvOf({ predictions }: { predictions: readonly { timestamp: string; quantiles: Record<string, number> }[] }) {
  const keys = Object.keys(predictions[0]?.quantiles ?? {});
  const lines = predictions.map(({ timestamp, quantiles }) => [
    timestamp,
    ...keys.map((key) => String(quantiles[key])),
  ]);
  return [['timestamp', ...keys], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function checkedKey(key: string | null): string | null {
  if (key === null) return null;
  if (key.length >= 1 && key.length <= MOST_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new Fault('INVALID_REQUEST', `Idempotency-Key: must be 1 to ${MOST_KEY_LENGTH} visible ASCII characters.`);
}
