import { HOUR_MS } from '../../calendar/index.ts';
import { LruCache } from '../../platform/index.ts';
import { readSnapshot, type Snapshot, type SnapshotContext } from '../snapshot-store.ts';
import { type ColumnHeadings, renderCsv, renderJson } from './render-rows.ts';
import { createRendering, type Rendering } from './rendering.ts';

/** A snapshot with its renderings. */
export interface ExportedSnapshot {
  readonly snapshot: Snapshot;
  /** Returns the rows as a CSV file. */
  csv(headings: ColumnHeadings): Rendering;
  /** Returns a JSON object with the given fields, followed by the rows as an array in the field `rowsField`. */
  json(fields: object, rowsField: string, headings: ColumnHeadings): Rendering;
}

/** A cache of recently exported snapshots. */
export interface SnapshotExports {
  /** Returns the snapshot with this id; null if there is none. */
  open(id: string): Promise<ExportedSnapshot | null>;
  /** Adds a snapshot that was just read or frozen. */
  add(snapshot: Snapshot): ExportedSnapshot;
}

/** The largest size of the cache in the memory of a process. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Limits the number of small snapshots, which take more memory than their bytes. */
const MAX_ENTRIES = 500;
/** One for JSON, one for CSV, and one for an equivalent request. */
const MAX_RENDERINGS = 3;
/** Shorter than the lifetime of an unused snapshot, because only reading it again records its use. */
const MAX_AGE_MS = HOUR_MS;

interface CachedExport extends ExportedSnapshot {
  readonly cachedAt: number;
  bytes(): number;
}

export function createSnapshotExports(context: SnapshotContext): SnapshotExports {
  const cache = new LruCache<string, CachedExport>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    sizeOf: (exported) => exported.bytes(),
  });
  const now = (): number => context.clock.now().getTime();
  const readCache = (id: string): ExportedSnapshot | undefined => {
    const exported = cache.get(id);
    if (exported === undefined || now() - exported.cachedAt < MAX_AGE_MS) return exported;
    cache.delete(id);
    return undefined;
  };
  const add = (snapshot: Snapshot): ExportedSnapshot => {
    const known = readCache(snapshot.id);
    if (known !== undefined) return known;
    const exported = createExport(snapshot, now());
    cache.set(snapshot.id, exported);
    return exported;
  };
  return {
    add,
    async open(id) {
      const known = readCache(id);
      if (known !== undefined) return known;
      const snapshot = await readSnapshot(context, id);
      return snapshot && add(snapshot);
    },
  };
}

function createExport(snapshot: Snapshot, cachedAt: number): CachedExport {
  const { table } = snapshot;
  const renderings = new Map<string, Rendering>();
  const render = (key: string, parts: () => Iterator<Buffer>): Rendering => {
    const known = renderings.get(key);
    if (known && !known.hasFailed) return known;
    const rendering = createRendering(parts());
    renderings.delete(key);
    renderings.set(key, rendering);
    // The oldest one is dropped, because a caller could otherwise create one for each of many equivalent requests.
    const [oldest] = renderings.keys();
    if (renderings.size > MAX_RENDERINGS && oldest !== undefined) renderings.delete(oldest);
    return rendering;
  };
  return {
    snapshot,
    cachedAt,
    csv: (headings) => render(`csv ${JSON.stringify(headings)}`, () => renderCsv(table, headings)),
    json(fields, rowsField, headings) {
      const before = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(rowsField)}:[`;
      return render(`json ${before} ${JSON.stringify(headings)}`, () =>
        wrap(before, renderJson(table, headings), ']}'),
      );
    },
    bytes() {
      const columns = (Object.keys(table.columns).length + 1) * table.timestamps.byteLength;
      return [...renderings.values()].reduce((sum, { bytes }) => sum + bytes, columns);
    },
  };
}

function* wrap(before: string, parts: Iterable<Buffer>, after: string): Generator<Buffer> {
  yield Buffer.from(before);
  yield* parts;
  yield Buffer.from(after);
}

const MAX_NAME_LENGTH = 100;

/**
 * Returns a file name that is safe on every system and in a header: it has only letters, digits, dots and dashes.
 *
 * @example exportFileName(['^GSPC', '1D', 'split'], 'csv') // GSPC-1D-split.csv
 */
export function exportFileName(words: readonly string[], extension: string): string {
  const name = words
    .map((word) => word.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+|[-.]+$/g, ''))
    .filter((word) => word !== '')
    .join('-');
  return `${(name || 'series').slice(0, MAX_NAME_LENGTH)}.${extension}`;
}
