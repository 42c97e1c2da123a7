import { readSnapshot, type Snapshot, type SnapshotContext } from '../snapshot-store.ts';
import { keepRecent } from './keep-recent.ts';
import { type Heads, renderCsv, renderJson } from './render-rows.ts';
import { createRendering, type Rendering } from './rendering.ts';

/** A snapshot with what was rendered of it. */
export interface ExportedSnapshot {
  readonly snapshot: Snapshot;
  /** A CSV file of the rows. */
  csv(heads: Heads): Rendering;
  /** A JSON object: the fields given, then the array of rows under a name of its own. */
  json(fields: object, rowsField: string, heads: Heads): Rendering;
}

/** Snapshots that were asked for lately, ready to be sent again. */
export interface SnapshotExports {
  /** null: there is no such snapshot. */
  open(id: string): Promise<ExportedSnapshot | null>;
  keep(snapshot: Snapshot): ExportedSnapshot;
}

/** Memory of one process for this. */
const MAX_BYTES = 64 * 1024 * 1024;
/** JSON and CSV, and another spelling of the request. */
const MAX_RENDERINGS = 3;
/** Shorter than an unused snapshot lives: reading it again notes that it is in use. */
const LONGEST_MS = 3_600_000;

export function createSnapshotExports(context: SnapshotContext): SnapshotExports {
  const recent = keepRecent<ExportedSnapshot & { bytes(): number }>(
    { bytes: MAX_BYTES, milliseconds: LONGEST_MS },
    (exported) => exported.bytes(),
  );
  const now = (): number => context.clock.now().getTime();
  const keep = (snapshot: Snapshot): ExportedSnapshot => {
    const known = recent.get(snapshot.id, now());
    if (known !== undefined) return known;
    const exported = exportedSnapshot(snapshot);
    recent.set(snapshot.id, exported, now());
    return exported;
  };
  return {
    keep,
    async open(id) {
      const known = recent.get(id, now());
      if (known !== undefined) return known;
      const snapshot = await readSnapshot(context, id);
      return snapshot && keep(snapshot);
    },
  };
}

function exportedSnapshot(snapshot: Snapshot): ExportedSnapshot & { bytes(): number } {
  const { table } = snapshot;
  const renderings = new Map<string, Rendering>();
  const rendered = (key: string, parts: () => Iterator<Buffer>): Rendering => {
    const known = renderings.get(key);
    if (known && !known.hasFailed) return known;
    const rendering = createRendering(parts());
    renderings.delete(key);
    renderings.set(key, rendering);
    // The first of them that was asked for goes: a caller could otherwise have one written for each of many spellings.
    const [oldest] = renderings.keys();
    if (renderings.size > MAX_RENDERINGS && oldest !== undefined) renderings.delete(oldest);
    return rendering;
  };
  return {
    snapshot,
    csv: (heads) => rendered(`csv ${JSON.stringify(heads)}`, () => renderCsv(table, heads)),
    json(fields, rowsField, heads) {
      const before = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(rowsField)}:[`;
      return rendered(`json ${before} ${JSON.stringify(heads)}`, () => framed(before, renderJson(table, heads), ']}'));
    },
    bytes() {
      const columns = (Object.keys(table.columns).length + 1) * table.timestamps.byteLength;
      return [...renderings.values()].reduce((sum, { bytes }) => sum + bytes, columns);
    },
  };
}

function* framed(before: string, parts: Iterable<Buffer>, after: string): Generator<Buffer> {
  yield Buffer.from(before);
  yield* parts;
  yield Buffer.from(after);
}
