import type { Principal } from '../access/index.ts';
import { MINUTE_MS } from '../calendar/index.ts';
import { canonicalJson, Fault, MAX_PREVIEW_VALUES, type PublicReference } from '../contract/index.ts';
import { type Clock, LruCache } from '../platform/index.ts';
import type { SourceRegistry } from '../snapshots/index.ts';

/** The values of a small picture of a series. */
export interface SeriesPreview {
  readonly values: readonly number[];
}

/** Returns previews of series in the order of their references; null for a series without one. */
export type PreviewSeries = (
  principal: Principal,
  references: readonly PublicReference[],
) => Promise<readonly (SeriesPreview | null)[]>;

/** A year of sessions, or twenty years of months. */
const MAX_ROWS = 250;

/** The same series are requested again with every letter of a query. */
const LIFETIME_MS = MINUTE_MS;
const MAX_KEPT = 2_000;

/**
 * Creates the function that returns previews. A series has one if its rows are bundled or stored and the caller may read
 * them.
 *
 * @param sources read only what is bundled or stored
 */
export function createSeriesPreviews(sources: SourceRegistry, clock: Clock): PreviewSeries {
  const kept = new LruCache<string, { readonly until: number; readonly preview: Promise<SeriesPreview | null> }>({
    maxEntries: MAX_KEPT,
  });

  async function read(reference: PublicReference): Promise<SeriesPreview | null> {
    const { table, valueField } = await sources.of(reference).read(reference, { limit: MAX_ROWS });
    const values = spreadValues(table.columns[valueField] ?? []);
    return values.length === 0 ? null : { values };
  }

  function readOnce(reference: PublicReference): Promise<SeriesPreview | null> {
    const key = canonicalJson(reference);
    const now = clock.now().getTime();
    const known = kept.get(key);
    const left = (known?.until ?? 0) - now;
    if (known !== undefined && left > 0 && left <= LIFETIME_MS) return known.preview;
    const preview = unlessRefused(() => read(reference), isLasting);
    kept.set(key, { until: now + LIFETIME_MS, preview });
    // Only an answer is kept: the database or the provider may be reachable again in a moment.
    preview.catch(() => kept.delete(key));
    return preview;
  }

  return (principal, references) =>
    Promise.all(
      references.map((reference) =>
        unlessRefused(async () => {
          await sources.of(reference).authorize(principal, reference);
          return readOnce(reference);
        }),
      ),
    );
}

/** Returns whether a fault lies in the request, so that it is the same a moment later. */
function isLasting({ status }: Fault): boolean {
  return status < 500;
}

/** Returns null instead of a fault: a list of previews has one for each series that it can have. */
async function unlessRefused<Result>(
  work: () => Promise<Result | null>,
  isRefusal: (fault: Fault) => boolean = () => true,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault && isRefusal(error)) return null;
    throw error;
  }
}

/** Returns at most forty of the values, equally far apart, the last one included. Missing values are left out. */
export function spreadValues(column: Iterable<number>): number[] {
  const values = Array.from(column).filter(Number.isFinite);
  if (values.length <= MAX_PREVIEW_VALUES) return values;
  const step = (values.length - 1) / (MAX_PREVIEW_VALUES - 1);
  return Array.from({ length: MAX_PREVIEW_VALUES }, (_, i) => values[Math.round(i * step)] as number);
}
