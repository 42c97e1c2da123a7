import { SCREENER_FIELD_INFO, SCREENER_FIELDS, SCREENER_LEVELS, SCREENER_OPS } from '../../contract/index.ts';
import {
  createFilter,
  deleteFilter,
  findFilter,
  type LatestResult,
  listFilters,
  listMails,
  listMatches,
  listSessions,
  type MailDelivery,
  previewLatest,
  readDelivery,
  readDistributions,
  readLatestResults,
  updateFilter,
  viewCheckedFilter,
  viewFilter,
  viewUnknownSymbols,
} from '../../screener/index.ts';
import { accountOf, type Handlers } from '../call.ts';

export const screenerHandlers = {
  async listScreenerAlerts(call) {
    const { accountId } = accountOf(call);
    const { database } = call.parts.screener;
    const [filters, delivery, latestOf] = await Promise.all([
      listFilters(database, accountId),
      readDelivery(database, accountId),
      readLatestResults(database, accountId),
    ]);
    return {
      alerts: filters.map((filter) => ({ ...viewFilter(filter), latest: viewLatest(latestOf(filter.id)) })),
      mail_delivery: viewDelivery(delivery),
    };
  },

  async createScreenerAlert(call) {
    const { screener } = call.parts;
    return viewCheckedFilter(screener, await createFilter(screener, accountOf(call).accountId, call.body));
  },

  async readScreenerAlert(call) {
    const { accountId } = accountOf(call);
    const { screener } = call.parts;
    return viewCheckedFilter(screener, await findFilter(screener.database, accountId, call.params.alert_id));
  },

  async updateScreenerAlert(call) {
    const { accountId } = accountOf(call);
    const { screener } = call.parts;
    return viewCheckedFilter(screener, await updateFilter(screener, accountId, call.params.alert_id, call.body));
  },

  async deleteScreenerAlert(call) {
    const { alert_id: id } = call.params;
    await deleteFilter(call.parts.screener, accountOf(call).accountId, id);
    return { id, removed: true as const };
  },

  async previewScreenerAlert(call) {
    const { screener } = call.parts;
    const { session, total, matches, missing } = await previewLatest(screener, call.body);
    return {
      session,
      total,
      matches: matches.map(({ symbol, values, recentCloses }) => ({
        symbol,
        values,
        recent_closes: [...recentCloses],
      })),
      missing: [...missing],
      ...(await viewUnknownSymbols(screener, call.body.universe)),
    };
  },

  async listScreenerMatches(call) {
    const { accountId } = accountOf(call);
    const { new: onlyNew, ...query } = call.query;
    const request = { id: call.params.alert_id, ...query, onlyNew: onlyNew === 'true' };
    const page = await listMatches(call.parts.screener, accountId, request);
    const { session, run, evaluated, total, newTotal, matches, nextCursor } = page;
    return {
      session,
      run: run && {
        state: run.state,
        completed_at: run.completed_at?.toISOString() ?? null,
        missing: [...run.missing],
      },
      evaluated,
      total,
      matches: matches.map(({ symbol, is_new, values, recentCloses }) => ({
        symbol,
        new: is_new,
        values: values ?? {},
        recent_closes: [...recentCloses],
      })),
      new_total: newTotal,
      next_cursor: nextCursor,
    };
  },

  async listScreenerSessions(call) {
    const request = { id: call.params.alert_id, ...call.query };
    const { sessions, nextCursor } = await listSessions(call.parts.screener, accountOf(call).accountId, request);
    return {
      sessions: sessions.map(({ completed_at, ...counts }) => ({
        ...counts,
        completed_at: completed_at?.toISOString() ?? null,
      })),
      next_cursor: nextCursor,
    };
  },

  async listScreenerFields({ parts }) {
    const distributions = await readDistributions(parts.screener.database);
    return {
      session: distributions?.session ?? null,
      fields: SCREENER_FIELDS.map((field) => {
        const { count, missing, values } = distributions?.of.get(field) ?? { count: 0, missing: 0, values: [] };
        const quantiles = values.map((value, i) => ({ level: SCREENER_LEVELS[i] ?? 1, value }));
        return {
          field,
          ...SCREENER_FIELD_INFO[field],
          operators: [...SCREENER_OPS],
          distribution: distributions && { count, missing, quantiles },
        };
      }),
    };
  },

  async listScreenerMails(call) {
    const { accountId } = accountOf(call);
    const { screener } = call.parts;
    const { mails, nextCursor } = await listMails(screener, accountId, call.query);
    return {
      delivery: viewDelivery(await readDelivery(screener.database, accountId)),
      mails: mails.map(({ id: _, created_at, sent_at, ...mail }) => ({
        ...mail,
        created_at: created_at.toISOString(),
        sent_at: sent_at?.toISOString() ?? null,
      })),
      next_cursor: nextCursor,
    };
  },
} satisfies Partial<Handlers>;

function viewDelivery({ state, since }: MailDelivery) {
  return { state, since: since?.toISOString() ?? null };
}

function viewLatest(latest: LatestResult | null) {
  if (latest === null) return null;
  const { session, evaluated, total, newTotal, firstMatches } = latest;
  const matches = firstMatches.map(({ symbol, isNew }) => ({ symbol, new: isNew }));
  return { session, evaluated, total, new_total: newTotal, first_matches: matches };
}
