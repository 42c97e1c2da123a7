import type { SeriesRows } from './read-rows.ts';
import { describeValue, frequencyOf, hasCandles, isIntraday, type SeriesView } from './series-view.ts';

/** More rows would make the page slow to load. The script reads them from the API instead, by the snapshot. */
const MAX_EMBEDDED_ROWS = 2_000;

/** Returns what the script of the page needs. web/src/series/page.ts has its type. */
export function pageData(view: SeriesView, rows: SeriesRows): object {
  const { source, choices } = view;
  const isMarket = source.type === 'market';
  const { snapshot_id: _, ...body } = rows.body as { snapshot_id?: string };
  const isEmbedded = rows.timestamps.length <= MAX_EMBEDDED_ROWS;
  return {
    kind: hasCandles(view) ? 'bars' : 'line',
    title: view.description.title,
    ...describeValue(view),
    frequency: frequencyOf(view),
    isIntraday: isIntraday(view),
    isLog: choices.isLog,
    from: choices.from,
    to: choices.to,
    rows: isEmbedded ? { timestamps: rows.timestamps, columns: rows.columns } : null,
    /** Reads the same rows again. */
    request: {
      path: isMarket ? '/market-data/stocks/history' : '/v1/market-search/observations',
      body: { ...withoutLimits(body, isMarket), snapshot_id: rows.snapshotId },
    },
    /** The column of the response that a line shows. */
    field: isMarket ? (source.value_field ?? 'close') : 'value',
    /** Reads the bars before these. */
    older: choices.snapshot === null && rows.nextCursor !== null ? { body, cursor: rows.nextCursor } : null,
  };
}

/** A snapshot fixes the rows, so the request for it must not limit them. */
function withoutLimits(body: object, isMarket: boolean): object {
  const { limit: _, start, end, ...settings } = body as Record<string, unknown>;
  return isMarket ? { ...settings, limit: 50_000 } : settings;
}
