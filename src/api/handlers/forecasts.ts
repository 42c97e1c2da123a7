import { Fault, IdempotencyKey } from '../../contract/index.ts';
import {
  CANCELED,
  cancelNamed,
  createForecast,
  type ForecastRow,
  findForecast,
  firstAnswer,
  knownCaller,
  listForecasts,
  listModels,
  listWorkspaceForecasts,
  proofOf,
  reproduceForecast,
  snapshotFacts,
  viewForecast,
  viewListed,
  viewShared,
} from '../../forecasts/index.ts';
import { csvCell, fileName, readSnapshot } from '../../snapshots/index.ts';
import { Attachment } from '../attachment.ts';
import { accountOf, type Handlers } from '../call.ts';
import { Download } from '../download.ts';
import { parsePart } from '../edge/validate.ts';
import { networkOf } from '../limits/network-of.ts';
import type { ApiParts } from '../parts.ts';
import { Versioned } from '../versioned.ts';

export const forecastHandlers = {
  async createForecast(call) {
    const { parts } = call;
    const caller = knownCaller(call.principal);
    const idempotencyKey = checkedKey(call.idempotencyKey);
    const network = networkOf(call.address);
    const id = await createForecast(parts.jobs, caller, call.body, { idempotencyKey, network, signal: call.signal });
    return firstAnswer(parts.jobs, id);
  },

  async listForecasts(call) {
    const { forecasts, nextCursor } = await listForecasts(call.parts.jobs, knownCaller(call.principal), call.query);
    return { forecasts: forecasts.map(viewListed), next_cursor: nextCursor };
  },

  async listWorkspaceForecasts(call) {
    const { parts, params, query } = call;
    const page = await listWorkspaceForecasts(parts.jobs, accountOf(call), params.workspace_id, query);
    return { forecasts: page.forecasts.map(viewShared), next_cursor: page.nextCursor };
  },

  async readForecast(call) {
    const row = await find(call);
    const view = await viewOne(call.parts, row);
    return row.status === 'completed' ? new Versioned(view) : view;
  },

  async cancelForecast(call) {
    const { parts, principal, params } = call;
    const row = await cancelNamed(parts.jobs, knownCaller(principal), params.forecast_id);
    const isCanceled = row.error?.code === CANCELED.code;
    const worker_cancellation = isCanceled ? ('requested' as const) : ('not_needed' as const);
    return { ...(await viewOne(parts, row)), worker_cancellation };
  },

  async reproduceForecast(call) {
    const { jobs } = call.parts;
    const caller = knownCaller(call.principal);
    const idempotencyKey = checkedKey(call.idempotencyKey);
    const network = networkOf(call.address);
    const id = await reproduceForecast(jobs, caller, call.params.forecast_id, { idempotencyKey, network });
    return firstAnswer(jobs, id);
  },

  async readForecastProof(call) {
    const row = await find(call);
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
    const row = await find(call);
    if (row.result === null) {
      throw new Fault('NOT_COMPLETED', `The forecast is ${row.status}; there is nothing to export.`);
    }
    const view = await viewOne(call.parts, row);
    const name = fileName([row.slug], call.query.format);
    return call.query.format === 'json' ? new Download(view, name) : Attachment.file(csvOf(view), name);
  },
} satisfies Partial<Handlers>;

interface ForecastCall {
  readonly parts: ApiParts;
  readonly principal: Parameters<typeof knownCaller>[0];
  readonly params: { readonly forecast_id: string };
}

function find({ parts, principal, params }: ForecastCall) {
  return findForecast(parts.jobs, knownCaller(principal), params.forecast_id, 'forecast.read');
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
  return key === null ? null : parsePart(IdempotencyKey, key, 'Idempotency-Key');
}
