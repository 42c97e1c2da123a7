import {
  createEvent,
  createFromForecast,
  findEvent,
  formatGroupsCsv,
  formatQuestionsCsv,
  listEvents,
  listRevisions,
  readHistory,
  readRevisionProof,
  readScoreboard,
  resolveEvent,
  reviseEvent,
  viewEvent,
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
    return { forecasts: events.map((row) => viewEvent(row, account.accountId)), next_cursor: nextCursor };
  },

  async createEvent(call) {
    const account = accountOf(call);
    return viewEvent(await createEvent(call.parts.scout, account, call.body, call.signal), account.accountId);
  },

  async readEvent(call) {
    const account = accountOf(call);
    const row = await findEvent(call.parts.database, account, call.params.forecast_id, 'event.read');
    return viewEvent(row, account.accountId);
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
    return viewEvent(row, account.accountId);
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
    return { forecasts: rows.map((row) => viewEvent(row, account.accountId)) };
  },

  async readScoreboard(call) {
    const { format, rows, ...request } = call.query;
    const board = await readScoreboard(call.parts.scout, accountOf(call), request);
    if (format === 'json') return viewScoreboard(board);
    const text = rows === 'questions' ? formatQuestionsCsv(board) : formatGroupsCsv(board);
    return RenderedBody.file(text, exportFileName(['scoreboard', rows], 'csv'));
  },
} satisfies Partial<Handlers>;
