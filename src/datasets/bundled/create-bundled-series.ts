import type { EconomicProvider } from '../economic-provider.ts';
import { UNDIVIDED } from './bundled-series.ts';
import { BUNDLED, describeSeries, listSeries } from './describe-series.ts';
import { BUNDLED_SERIES } from './series/index.ts';

/** Economic and other series that are installed with the service: real history without a network. */
export function createBundledSeries(): EconomicProvider {
  const byId = new Map(BUNDLED_SERIES.map((series) => [series.id, series]));
  return {
    id: BUNDLED,

    list: () => Promise.all(BUNDLED_SERIES.map(listSeries)),

    async describe(seriesId, signal) {
      signal?.throwIfAborted();
      const series = byId.get(seriesId);
      return series === undefined ? null : describeSeries(series);
    },

    async read(seriesId, dimensions, signal) {
      signal?.throwIfAborted();
      const series = byId.get(seriesId);
      if (series === undefined) return null;
      const { dimension, frequency } = series;
      const member = dimension === undefined ? UNDIVIDED : dimensions[dimension.field];
      const table = member === undefined ? undefined : (await series.load()).get(member);
      if (table === undefined) throw new Error(`${seriesId} has no ${dimension?.field} ${JSON.stringify(member)}.`);
      return { table, frequency };
    },
  };
}
