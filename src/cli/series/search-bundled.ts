import { openBundled } from './bundled.ts';

/** Searches the series that are installed with the service, as the service itself does. */
export async function searchBundled(query: string, limit: number) {
  const [{ createSeriesSearch }, sources] = await Promise.all([import('../../datasets/index.ts'), openBundled()]);
  const log = { warn: () => {} } as unknown as Parameters<typeof createSeriesSearch>[1];
  const { results } = await createSeriesSearch(sources.all, log).search({ query, limit, offset: 0 });
  return results;
}
