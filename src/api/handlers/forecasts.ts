import { IdempotencyKey } from '../../contract/index.ts';
import {
  CANCELED,
  cancelForecast,
  createForecast,
  type ForecastRow,
  findForecast,
  findForecastFacts,
  formatPredictionsCsv,
  isPrivateToAnother,
  listForecasts,
  listModels,
  listWorkspaceForecasts,
  prepareSave,
  readCreated,
  readForecastProof,
  readHistory,
  readSnapshotFacts,
  reproduceForecast,
  requireCaller,
  SAVE_PROOF_LIFETIME_MS,
  saveForecast,
  viewForecast,
  viewInWorkspace,
  viewListed,
  viewUndisclosed,
  watchEvents,
} from '../../forecasts/index.ts';
import type { Executor } from '../../platform/index.ts';
import { readReceipt } from '../../provenance/index.ts';
import { exportFileName } from '../../snapshots/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { parsePart } from '../edge/validate.ts';
import { EventStream, parseLastEventId } from '../event-stream.ts';
import { noProofYet, noResultYet } from '../faults.ts';
import { networkOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';
import { Download, RenderedBody, Versioned } from '../responses.ts';

export const forecastHandlers = {
  async createForecast(call) {
    const { parts } = call;
    const caller = requireCaller(call.principal);
    const idempotencyKey = parseIdempotencyKey(call.idempotencyKey);
    const network = networkOf(call.address);
    const id = await createForecast(parts.forecasts, caller, call.body, {
      idempotencyKey,
      network,
      signal: call.signal,
    });
    return readCreated(parts.forecasts, id);
  },

  async listForecasts(call) {
    const { forecasts, nextCursor } = await listForecasts(
      call.parts.forecasts,
      requireCaller(call.principal),
      call.query,
    );
    return { forecasts: forecasts.map(viewListed), next_cursor: nextCursor };
  },

  async listWorkspaceForecasts(call) {
    const { parts, params, query } = call;
    const account = accountOf(call);
    const page = await listWorkspaceForecasts(parts.forecasts, account, params.workspace_id, query);
    return { forecasts: page.forecasts.map((row) => viewInWorkspace(row, account)), next_cursor: page.nextCursor };
  },

  async readForecast(call) {
    const row = await findReadable(call);
    return new Versioned(await viewOne(call.parts, row));
  },

  async cancelForecast(call) {
    const { parts, params } = call;
    const caller = requireCaller(call.principal);
    const row = await cancelForecast(parts.forecasts, caller, params.forecast_id);
    const isCanceled = row.error?.code === CANCELED.code;
    const worker_cancellation = isCanceled ? ('requested' as const) : ('not_needed' as const);
    const view = isPrivateToAnother(caller, row) ? viewUndisclosed(row) : await viewOne(parts, row);
    return { ...view, worker_cancellation };
  },

  async reproduceForecast(call) {
    const { forecasts } = call.parts;
    const caller = requireCaller(call.principal);
    const idempotencyKey = parseIdempotencyKey(call.idempotencyKey);
    const network = networkOf(call.address);
    const id = await reproduceForecast(forecasts, caller, call.params.forecast_id, { idempotencyKey, network });
    return readCreated(forecasts, id);
  },

  async readForecastProof(call) {
    const row = await findReadable(call);
    const { forecasts } = call.parts;
    const proof = await readForecastProof(forecasts, row);
    if (proof === null) throw noProofYet(row.status);
    const { document, contentCid } = proof;
    const provenance = await readReceipt(forecasts.database, forecasts.stamps, contentCid);
    return { document: { ...document }, content_cid: contentCid, provenance };
  },

  async readForecastHistory({ parts, principal, params, query }) {
    return readHistory(parts.forecasts, requireCaller(principal), params.forecast_id, query.limit);
  },

  async listModels(call) {
    return listModels(call.parts.forecasts, requireCaller(call.principal), call.query.workspace_id);
  },

  async exportForecast(call) {
    const row = await findReadable(call);
    if (row.result === null) throw noResultYet(row.status);
    if (call.query.format === 'csv') return renderForecastCsv(call.parts, row);
    return new Download(await viewOne(call.parts, row), exportFileName([row.slug], 'json'));
  },

  async prepareSaveForecast({ parts, principal, params, cookies }) {
    const { forecastId, secret } = await prepareSave(parts.forecasts, requireCaller(principal), params.forecast_id);
    cookies.set('save', secret, SAVE_PROOF_LIFETIME_MS / 1000);
    return { forecast_id: forecastId, ready_to_sign_in: true };
  },

  async saveForecast(call) {
    const { parts, params, cookies } = call;
    const saved = await saveForecast(parts.forecasts, accountOf(call), params.forecast_id, cookies.get('save'));
    if (saved.proofSpent) cookies.clear('save');
    return { forecast_id: saved.forecastId, saved: true };
  },

  async watchForecast(call) {
    const { parts, principal, params, lastEventId } = call;
    const forecast = await findForecastFacts(
      parts.forecasts,
      requireCaller(principal),
      params.forecast_id,
      'forecast.read',
    );
    const { id, status, last_event } = forecast;
    const after = parseLastEventId(lastEventId);
    const hasEnded = status === 'completed' || status === 'failed';
    // EventSource reconnects whenever a stream ends, and stops after a response without a stream.
    if (lastEventId !== null && hasEnded && after >= last_event) return null;
    const watcher = { principal: requireCaller(principal), forecastId: id };
    return new EventStream((signal) => watchEvents(parts, id, after, signal), watcher);
  },
} satisfies Partial<Handlers>;

interface ForecastCall {
  readonly parts: ApiParts;
  readonly principal: Parameters<typeof requireCaller>[0];
  readonly params: { readonly forecast_id: string };
}

function findReadable({ parts, principal, params }: ForecastCall) {
  return findForecast(parts.forecasts, requireCaller(principal), params.forecast_id, 'forecast.read');
}

/** Returns a forecast as the API shows it. @param executor the transaction in which the row was read, if there is one */
export async function viewOne({ forecasts }: ApiParts, row: ForecastRow, executor: Executor = forecasts.database) {
  const provenance = row.content_cid === null ? null : await readReceipt(executor, forecasts.stamps, row.content_cid);
  return viewForecast(row, await readSnapshotFacts(executor, row), provenance);
}

/** Renders the predictions of a completed forecast as a CSV file. */
export async function renderForecastCsv(parts: ApiParts, row: ForecastRow): Promise<RenderedBody> {
  return RenderedBody.file(formatPredictionsCsv(await viewOne(parts, row)), exportFileName([row.slug], 'csv'));
}

function parseIdempotencyKey(key: string | null): string | null {
  return key === null ? null : parsePart(IdempotencyKey, key, 'Idempotency-Key');
}
