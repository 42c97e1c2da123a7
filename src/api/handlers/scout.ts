import {
  createEvent,
  createFromForecast,
  findEvent,
  formatGroupsCsv,
  formatQuestionsCsv,
  listEventActions,
  listEvents,
  listRevisions,
  previewFromForecast,
  readHistory,
  readRevisionProof,
  readScoreboard,
  resolveEvent,
  reviseEvent,
  viewEvent,
  viewEvents,
  viewResolution,
  viewScoreboard,
} from '../../scout/index.ts';
import { exportFileName } from '../../snapshots/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { RenderedBody } from '../responses.ts';

export const scoutHandlers = {
  async listEvents(call) {
    const account = accountOf(call);
    const { events, nextCursor } = await listEvents(call.parts.scout, account, call.query);
    const forecasts = await viewEvents(call.parts.database, events, account.accountId);
    return { forecasts, next_cursor: nextCursor };
  },

  async createEvent(call) {
    const account = accountOf(call);
    const row = await createEvent(call.parts.scout, account, call.body, call.signal);
    return viewEvent(call.parts.database, row, account.accountId);
  },

  async readEvent(call) {
    const account = accountOf(call);
    const row = await findEvent(call.parts.database, account, call.params.forecast_id, 'event.read');
    return viewEvent(call.parts.database, row, account.accountId);
  },

  async listEventActions(call) {
    const account = accountOf(call);
    const { scout } = call.parts;
    const { event, actions, revisableUntil } = await listEventActions(scout, account, call.params.forecast_id);
    return {
      forecast_id: event.id,
      is_own: event.author_account_id === account.accountId,
      actions: [...actions],
      revisable_until: revisableUntil.toISOString(),
    };
  },

  async readEventResolution(call) {
    const row = await findEvent(call.parts.database, accountOf(call), call.params.forecast_id, 'event.read');
    return viewResolution(row);
  },

  async listEventRevisions(call) {
    const { parts, params, query } = call;
    const { revisions, nextCursor } = await listRevisions(parts.scout, accountOf(call), params.forecast_id, query);
    return { revisions, next_cursor: nextCursor };
  },

  async readEventProof(call) {
    const { parts, params, query } = call;
    return readRevisionProof(parts.scout, accountOf(call), params.forecast_id, query.revision);
  },

  async reviseEvent(call) {
    const account = accountOf(call);
    const row = await reviseEvent(call.parts.scout, account, call.params.forecast_id, call.body);
    return viewEvent(call.parts.database, row, account.accountId);
  },

  async readEventHistory(call) {
    const { parts, params, query } = call;
    const { entries, nextCursor } = await readHistory(parts.scout, accountOf(call), params.forecast_id, query);
    return { entries, next_cursor: nextCursor };
  },

  async resolveEvent(call) {
    const { parts, params, body } = call;
    return viewResolution(await resolveEvent(parts.scout, accountOf(call), params.forecast_id, body));
  },

  async createEventsFromForecast(call) {
    const account = accountOf(call);
    const rows = await createFromForecast(call.parts.scout, account, call.body);
    return { forecasts: await viewEvents(call.parts.database, rows, account.accountId) };
  },

  async previewEventsFromForecast(call) {
    return previewFromForecast(call.parts.scout, accountOf(call), call.body);
  },

  async readScoreboard(call) {
    const { format, rows, ...request } = call.query;
    const board = await readScoreboard(call.parts.scout, accountOf(call), request);
    if (format === 'json') return viewScoreboard(call.parts.database, board);
    const text = rows === 'questions' ? formatQuestionsCsv(board) : formatGroupsCsv(board);
    return RenderedBody.file(text, exportFileName(['scoreboard', rows], 'csv'));
  },
} satisfies Partial<Handlers>;
