import { BAR_HEADS, readStockHistory } from '../../market/index.ts';
import { fileName } from '../../snapshots/index.ts';
import { Attachment } from '../attachment.ts';
import type { Handlers } from '../call.ts';

export const marketDataHandlers = {
  async readStockHistory(call) {
    const { body } = call;
    const { symbol, timeframe, adjustment, session, format, source } = body;
    const history = await readStockHistory(call.parts.market, body, call.signal);
    const { exported, provider, fallbackUsed, dropped, nextCursor } = history;
    if (format === 'csv') {
      return Attachment.csv(exported.csv(BAR_HEADS), fileName([symbol, timeframe, adjustment], 'csv'), {
        'x-snapshot-id': exported.snapshot.id,
        'x-provider': provider,
        'x-fallback-used': String(fallbackUsed),
        'x-count': String(exported.snapshot.rows),
        'x-dropped': JSON.stringify(dropped),
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      });
    }
    const fields = {
      ok: true,
      provider,
      sourceRequested: source,
      fallbackUsed,
      symbol,
      timeframe,
      adjustment,
      session,
      snapshot_id: exported.snapshot.id,
      count: exported.snapshot.rows,
      truncated: nextCursor !== null,
      next_cursor: nextCursor,
      dropped,
    };
    return Attachment.json(exported.json(fields, 'rows', BAR_HEADS));
  },
} satisfies Partial<Handlers>;
