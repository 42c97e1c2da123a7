import { Fault } from '../../contract/index.ts';
import { readObservations, searchPage } from '../../datasets/index.ts';
import { fileName } from '../../snapshots/index.ts';
import { Attachment } from '../attachment.ts';
import type { Handlers } from '../call.ts';

export const marketSearchHandlers = {
  async searchSeries(call) {
    const { results, nextCursor } = await searchPage(call.parts.search, call.body);
    return {
      results: results.map(({ keywords: _, ...shown }) => shown),
      next_cursor: nextCursor,
    };
  },

  async describeSeries(call) {
    const { source: reference } = call.body;
    const source = call.parts.sources.of(reference);
    await source.authorize(call.principal, reference);
    return source.describe(reference, call.signal);
  },

  async readObservations(call) {
    const { source, format, limit, cutoff, snapshot_id: snapshotId } = call.body;
    if (snapshotId !== undefined && (limit !== undefined || cutoff !== undefined)) {
      throw new Fault('INVALID_REQUEST', 'snapshot_id: a snapshot has its rows; leave limit and cutoff out.');
    }
    const request = { source, limit, snapshotId, cutoff: cutoff === undefined ? undefined : Date.parse(cutoff) };
    const { exported, about } = await readObservations(call.parts, call.principal, request);
    const { provider, frequency, value_field, units, truncated } = about;
    if (format === 'csv') {
      return Attachment.csv(
        exported.csv({ [value_field]: value_field }),
        fileName([nameOf(about.source), value_field, frequency], 'csv'),
      );
    }
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
    };
    return Attachment.json(exported.json(fields, 'rows', { [value_field]: 'value' }));
  },
} satisfies Partial<Handlers>;

function nameOf(source: { type: string; symbol?: string; series_id?: string }): string {
  return source.symbol ?? source.series_id ?? source.type;
}
