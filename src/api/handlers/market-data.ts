import { isAdministrator } from '../../access/index.ts';
import type { PublicReference } from '../../contract/index.ts';
import { type Observations, readObservations, readSearchPage } from '../../datasets/index.ts';
import { BAR_HEADINGS, readStockHistory, reportProviders, type StockHistory } from '../../market/index.ts';
import { exportFileName } from '../../snapshots/index.ts';
import type { Handlers } from '../call.ts';
import { snapshotRowsFixed } from '../faults.ts';
import { RenderedBody } from '../responses.ts';

export const marketDataHandlers = {
  async listMarketProviders({ parts, principal }) {
    const { market, knownProviders } = parts;
    return { providers: await reportProviders(market, knownProviders, { withStates: isAdministrator(principal) }) };
  },

  async readStockHistory(call) {
    const { body } = call;
    const { symbol, timeframe, adjustment, session, format, source } = body;
    const history = await readStockHistory(call.parts.market, body, call.signal);
    const { exported, provider, fallbackUsed, dropped, nextCursor } = history;
    if (format === 'csv') return renderHistoryCsv(history, body);
    const fields = {
      ok: true,
      provider,
      sourceRequested: source,
      fallbackUsed,
      symbol,
      timeframe,
      adjustment,
      session,
      price_side: history.priceSide,
      snapshot_id: exported.snapshot.id,
      count: exported.snapshot.rows,
      truncated: nextCursor !== null,
      next_cursor: nextCursor,
      dropped,
    };
    return RenderedBody.json(exported.json(fields, 'rows', BAR_HEADINGS));
  },

  async searchSeries(call) {
    const isAccount = call.principal.kind === 'account';
    const page = await readSearchPage(call.parts.search, { ...call.body, isAccount }, call.signal);
    return {
      results: page.results.map(({ source, title, provider, frequency, span, units, status }) => {
        const shown = { source, title, provider, frequency, span, units };
        return status === undefined ? shown : { ...shown, status };
      }),
      next_cursor: page.nextCursor,
      unavailable: [...page.unavailable],
    };
  },

  async previewSeries({ parts, principal, body }) {
    const previews = await parts.previewSeries(principal, body.sources);
    return { previews: previews.map((preview) => preview && { values: [...preview.values] }) };
  },

  async describeSeries(call) {
    const { source: reference } = call.body;
    const source = call.parts.sources.of(reference);
    await source.authorize(call.principal, reference);
    const { license, ...described } = await source.describe(reference, call.signal);
    return { ...described, license: { ...license, allowed: call.parts.licenses.allows(license.name) } };
  },

  async readObservations(call) {
    const { source, format, limit, cutoff, snapshot_id: snapshotId } = call.body;
    if (snapshotId !== undefined && (limit !== undefined || cutoff !== undefined)) {
      throw snapshotRowsFixed();
    }
    const { signal } = call;
    const request = {
      source,
      limit,
      snapshotId,
      signal,
      cutoff: cutoff === undefined ? undefined : Date.parse(cutoff),
    };
    const observations = await readObservations(call.parts, call.principal, request);
    if (format === 'csv') return renderObservationsCsv(observations);
    const { exported, about, estimatedBytes } = observations;
    const { provider, frequency, value_field, units, truncated, facts } = about;
    const { id: snapshot_id, rows: count } = exported.snapshot;
    const fields = {
      ok: true,
      provider,
      source: about.source,
      frequency,
      value_field,
      units,
      snapshot_id,
      count,
      truncated,
      ...(estimatedBytes !== undefined && { estimated_bytes: estimatedBytes }),
      ...(facts && { facts }),
    };
    return RenderedBody.json(exported.json(fields, 'rows', { [value_field]: 'value' }));
  },
} satisfies Partial<Handlers>;

/** Renders bars as the CSV file of a request. */
export function renderHistoryCsv(
  { exported, provider, priceSide, fallbackUsed, dropped, nextCursor }: StockHistory,
  {
    symbol,
    timeframe,
    adjustment,
  }: { readonly symbol: string; readonly timeframe: string; readonly adjustment: string },
): RenderedBody {
  return RenderedBody.csv(exported.csv(BAR_HEADINGS), exportFileName([symbol, timeframe, adjustment], 'csv'), {
    'x-snapshot-id': exported.snapshot.id,
    'x-provider': provider,
    'x-price-side': priceSide,
    'x-fallback-used': String(fallbackUsed),
    'x-count': String(exported.snapshot.rows),
    'x-dropped': JSON.stringify(dropped),
    'x-truncated': String(nextCursor !== null),
    ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
  });
}

/** Renders the rows of a series as a CSV file. */
export function renderObservationsCsv({ exported, about, estimatedBytes }: Observations): RenderedBody {
  const { provider, frequency, value_field, truncated, source } = about;
  return RenderedBody.csv(
    exported.csv({ [value_field]: value_field }),
    exportFileName([...fileNameParts(source), value_field, frequency], 'csv'),
    {
      'x-snapshot-id': exported.snapshot.id,
      'x-provider': provider,
      'x-count': String(exported.snapshot.rows),
      'x-truncated': String(truncated),
      ...('vintage' in source && source.vintage && { 'x-vintage': source.vintage }),
      ...(estimatedBytes !== undefined && { 'x-estimated-bytes': String(estimatedBytes) }),
    },
  );
}

function fileNameParts(source: PublicReference): string[] {
  if (source.type === 'market') return [source.symbol];
  if (source.type === 'warehouse_table') return [source.table];
  const { series_id, dimensions = {}, vintage } = source;
  return [series_id, ...Object.values(dimensions), ...(vintage === undefined ? [] : [vintage])];
}
