import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { barEnd, checkSeries } from '../../../src/calendar/index.ts';
import { ReadableSource, SeriesDescription, Source, type SourceReference } from '../../../src/contract/index.ts';
import type { ReadWindow, SeriesSource, SourceRows } from '../../../src/snapshots/index.ts';

/** A source with references that it can read and references to series that do not exist. */
export interface SourceUnderTest {
  readonly source: SeriesSource;
  readonly known: readonly SourceReference[];
  readonly unknown: readonly SourceReference[];
  /**
   * Returns the same source at another time, for a source that reads only periods that have ended. Omitted: the rows are
   * the caller's own and are all read, so one of the known references must reach beyond today.
   */
  readonly at?: (now: Date) => SeriesSource;
  /** Whether descriptions contain only what metadata state, so that they can lack the number and the span of the rows. */
  readonly hasMetadataOnly?: boolean;
}

/** Declares the tests that every `SeriesSource` must pass. Each test calls `make` once. */
export function checkSeriesSource(name: string, make: () => Promise<SourceUnderTest>): void {
  /** Declares a test that runs a check on every known reference, with all its rows. */
  const each = (
    name: string,
    check: (all: SourceRows, reference: SourceReference, source: SeriesSource, tested: SourceUnderTest) => unknown,
  ) =>
    test(name, async () => {
      const tested = await make();
      const { source, known } = tested;
      assert.ok(known.length > 0, 'a reference to test with exists');
      for (const reference of known) await check(await source.read(reference, {}), reference, source, tested);
    });

  describe(`${name} as a series source`, () => {
    test('lists each series once, with its own type, and can describe and read it', async () => {
      const { source } = await make();
      const listed = await source.list();
      assert.equal(new Set(listed.map((entry) => JSON.stringify(entry.source))).size, listed.length, 'each once');
      for (const entry of listed) {
        assert.equal(Source.parse(entry.source).type, source.type);
        const description = SeriesDescription.parse(await source.describe(entry.source));
        const { title, provider, frequency, span, units } = description;
        assert.deepEqual(
          {
            title: entry.title,
            provider: entry.provider,
            frequency: entry.frequency,
            span: entry.span,
            units: entry.units,
          },
          { title, provider, frequency, span, units },
        );
        const rows = await source.read(withChoices(entry.source, description), { limit: 3 });
        assert.ok(rows.table.timestamps.length > 0, `${entry.title} has rows`);
      }
    });

    test('fails with NOT_FOUND for an unknown series', async () => {
      const { source, unknown } = await make();
      assert.ok(unknown.length > 0, 'a reference to test with exists');
      for (const reference of unknown) {
        await assert.rejects(source.describe(reference), { name: 'Fault', code: 'NOT_FOUND' });
        await assert.rejects(source.read(reference, {}), { name: 'Fault', code: 'NOT_FOUND' });
      }
    });

    each(
      'reads rows that are ordered, unique, finite and on the grid of their cadence',
      ({ table, cadence, valueField }) => {
        for (const column of Object.values(table.columns)) assert.equal(column.length, table.timestamps.length);
        checkSeries(cadence, table.timestamps, table.columns[valueField] ?? []);
      },
    );

    each('reads the same bytes for the same request', async (all, reference, source) => {
      const before = bytesOf(all);
      assert.equal(bytesOf(await source.read(reference, {})), before);
      for (const column of [all.table.timestamps, ...Object.values(all.table.columns)]) column.fill(0);
      assert.equal(
        bytesOf(await source.read(reference, {})),
        before,
        'a caller that changes its rows does not affect later reads',
      );
    });

    each('includes a row from the instant at which its period ends', async (all, reference, source) => {
      const { timestamps } = all.table;
      for (const row of new Set([0, 1, Math.floor(timestamps.length / 2), timestamps.length - 1])) {
        const end = barEnd(all.cadence, timestamps[row] ?? Number.NaN);
        assert.equal(bytesOf(await source.read(reference, { cutoff: end })), bytesOf(slice(all, 0, row + 1)));
        assert.equal(bytesOf(await source.read(reference, { cutoff: end - 1 })), bytesOf(slice(all, 0, row)));
      }
    });

    test('without a cutoff reads published rows up to now, and the caller’s own rows completely', async () => {
      const { source, known, at } = await make();
      const reads = await Promise.all(known.map((reference) => source.read(reference, {})));
      const lastEnds = reads.map(({ table, cadence }) => barEnd(cadence, table.timestamps.at(-1) ?? Number.NaN));
      if (at === undefined)
        assert.ok(Math.max(...lastEnds) > Date.now(), 'a reference beyond today exists to test with');
      else assert.ok(Math.max(...lastEnds) <= Date.now());
      for (const [index, reference] of at === undefined ? [] : known.entries()) {
        const all = reads[index] as SourceRows;
        const row = Math.floor(all.table.timestamps.length / 2);
        const end = barEnd(all.cadence, all.table.timestamps[row] ?? Number.NaN);
        const [then, before] = [end, end - 1].map((now) => at?.(new Date(now)).read(reference, {}));
        assert.equal(bytesOf((await then) as SourceRows), bytesOf(slice(all, 0, row + 1)));
        assert.equal(bytesOf((await before) as SourceRows), bytesOf(slice(all, 0, row)));
      }
    });

    each('reads the last rows up to a limit', async (all, reference, source) => {
      const rows = all.table.timestamps.length;
      for (const limit of new Set([1, 7, rows, rows + 10])) {
        const last = slice(all, Math.max(0, rows - limit), rows);
        assert.equal(bytesOf(await source.read(reference, { limit })), bytesOf(last));
      }
      const cutoff = barEnd(all.cadence, all.table.timestamps[rows - 2] ?? Number.NaN);
      const lastBefore = slice(all, Math.max(0, rows - 3), rows - 1);
      assert.equal(bytesOf(await source.read(reference, { cutoff, limit: 2 })), bytesOf(lastBefore));
    });

    each('the description has the number and the span of the rows', async (all, reference, source, tested) => {
      const { hasMetadataOnly = false } = tested;
      const description = SeriesDescription.parse(await source.describe(reference));
      const field = description.values.find((value) => value.field === all.valueField);
      assert.ok(field !== undefined, `${all.valueField} is described`);
      if (all.cadence.frequency !== description.frequency || (hasMetadataOnly && description.rows === null)) return;
      // A value may be missing in some rows; together the values cover every row.
      const reads = description.values.map((value) => source.read({ ...reference, value_field: value.field }, {}));
      const times = (await Promise.all(reads)).flatMap(({ table }) => [...table.timestamps]);
      const every = [...new Set(times)].sort((one, other) => one - other);
      assert.equal(every.length, description.rows);
      const [start, end] = [every[0], every.at(-1)].map((time) => new Date(time ?? Number.NaN).toISOString());
      if (!hasMetadataOnly || description.span !== null) assert.deepEqual({ start, end }, description.span);
    });

    each('an aborted read returns an error or every row', async (all, reference, source) => {
      await assertComplete(source.read(reference, { signal: AbortSignal.abort() }), all);
      const controller = new AbortController();
      const reading = source.read(reference, { signal: controller.signal });
      controller.abort();
      await assertComplete(reading, all);
    });

    each('describes the rows in plain JSON that does not change', async (all, reference, source) => {
      assert.deepEqual(JSON.parse(JSON.stringify(all.about)), all.about);
      const windows: ReadWindow[] = [{}, { limit: 1 }];
      for (const window of windows) {
        const again = await source.read(reference, window);
        assert.equal(JSON.stringify(again.about), JSON.stringify(all.about));
      }
    });

    each('reads the same rows from the source that the description names', async (all, _reference, source) => {
      const resolved = ReadableSource.parse(all.about.source);
      const again = await source.read(resolved, {});
      assert.equal(bytesOf(again), bytesOf(all));
      assert.deepEqual(again.about, all.about);
    });
  });
}

/** Returns a listed reference with a value for every required field of its description. */
function withChoices(reference: SourceReference, description: SeriesDescription): SourceReference {
  if (reference.type !== 'economic_series') return reference;
  const dimensions = description.dimensions
    .filter(({ required }) => required)
    .map(({ field, values }) => [field, values?.[0]?.value ?? ''] as const);
  return { ...reference, value_field: description.values[0]?.field, dimensions: Object.fromEntries(dimensions) };
}

async function assertComplete(reading: Promise<SourceRows>, all: SourceRows): Promise<void> {
  const outcome = await reading.then(bytesOf, () => 'an error');
  assert.ok(outcome === 'an error' || outcome === bytesOf(all), 'some of the rows');
}

/** Returns the bytes of rows in a comparable form. */
function bytesOf({ table, valueField }: Pick<SourceRows, 'table' | 'valueField'>): string {
  const hex = (numbers: Float64Array) =>
    Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('hex');
  const columns = Object.entries(table.columns).map(([column, numbers]) => `${column}=${hex(numbers)}`);
  return [valueField, hex(table.timestamps), ...columns].join('\n');
}

function slice({ table, valueField }: SourceRows, from: number, to: number): Pick<SourceRows, 'table' | 'valueField'> {
  const columns = Object.entries(table.columns).map(([column, numbers]) => [column, numbers.slice(from, to)] as const);
  return { table: { timestamps: table.timestamps.slice(from, to), columns: Object.fromEntries(columns) }, valueField };
}
