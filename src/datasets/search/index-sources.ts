import type { Log } from '../../platform/index.ts';
import type { SeriesSource } from '../../snapshots/index.ts';
import { createSeriesIndex, type SearchFound, type SearchRequest } from './series-index.ts';

export interface SourcesSearch {
  search(request: SearchRequest): Promise<SearchFound>;
}

interface Options {
  readonly now?: () => number;
  /** How long searches do without a source whose list failed before one of them tries it again. */
  readonly retryAfterMs?: number;
}

/** Searches what the sources list. Their lists are loaded once, by the first search; one that fails is tried again later. */
export function indexSources(
  sources: readonly Pick<SeriesSource, 'list' | 'type'>[],
  log: Pick<Log, 'warn'>,
  { now = Date.now, retryAfterMs = 30_000 }: Options = {},
): SourcesSearch {
  const index = createSeriesIndex();
  const missing = new Set(sources);
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    triedAt = now();
    const lists = await Promise.all(
      [...missing].map(async (source) => {
        try {
          return [{ source, entries: await source.list() }];
        } catch (error) {
          log.warn(
            { err: error, source: source.type },
            'could not list the series of a source; search goes without it',
          );
          return [];
        }
      }),
    );
    const listed = lists.flat();
    if (listed.length === 0) return;
    await index.addAll(listed.flatMap(({ entries }) => entries));
    for (const { source } of listed) missing.delete(source);
  }

  return {
    async search(request) {
      if (!loading && missing.size > 0 && now() - triedAt >= retryAfterMs) {
        loading = load().finally(() => {
          loading = undefined;
        });
      }
      await loading;
      return index.search(request);
    },
  };
}
