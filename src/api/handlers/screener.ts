import {
  createFilter,
  deleteFilter,
  findFilter,
  listFilters,
  listMails,
  listMatches,
  type MailDelivery,
  previewLatest,
  readDelivery,
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
    const [filters, delivery] = await Promise.all([
      listFilters(database, accountId),
      readDelivery(database, accountId),
    ]);
    return { alerts: filters.map(viewFilter), mail_delivery: viewDelivery(delivery) };
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
      matches: matches.map((match) => ({ ...match })),
      missing: [...missing],
      ...(await viewUnknownSymbols(screener, call.body.universe)),
    };
  },

  async listScreenerMatches(call) {
    const { accountId } = accountOf(call);
    const request = { id: call.params.alert_id, ...call.query };
    const page = await listMatches(call.parts.screener, accountId, request);
    const { session, run, evaluated, total, matches, nextCursor } = page;
    return {
      session,
      run: run && {
        state: run.state,
        completed_at: run.completed_at?.toISOString() ?? null,
        missing: [...run.missing],
      },
      evaluated,
      total,
      matches: matches.map(({ symbol, is_new, values }) => ({ symbol, new: is_new, values: values ?? {} })),
      next_cursor: nextCursor,
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
