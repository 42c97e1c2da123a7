import { Fault, type PublicReference } from '../../contract/index.ts';
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
    const { license, ...described } = await source.describe(reference, call.signal);
    return { ...described, license: { ...license, allowed: call.parts.licenses.allows(license.name) } };
  },

  async readObservations(call) {
    const { source, format, limit, cutoff, snapshot_id: snapshotId } = call.body;
    if (snapshotId !== undefined && (limit !== undefined || cutoff !== undefined)) {
      throw new Fault('INVALID_REQUEST', 'snapshot_id: a snapshot has its rows; leave limit and cutoff out.');
    }
    const { signal } = call;
    const request = {
      source,
      limit,
      snapshotId,
      signal,
      cutoff: cutoff === undefined ? undefined : Date.parse(cutoff),
    };
    const { exported, about } = await readObservations(call.parts, call.principal, request);
    const { provider, frequency, value_field, units, truncated } = about;
    if (format === 'csv') {
      return Attachment.csv(
        exported.csv({ [value_field]: value_field }),
        fileName([...namesOf(about.source), value_field, frequency], 'csv'),
        {
          'x-snapshot-id': exported.snapshot.id,
          'x-provider': provider,
          'x-count': String(exported.snapshot.rows),
          'x-truncated': String(truncated),
        },
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

function namesOf(source: PublicReference): string[] {
  if (source.type === 'market') return [source.symbol];
  return [source.series_id, ...Object.values(source.dimensions ?? {})];
}
