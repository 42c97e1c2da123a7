import type { Executor } from '../../../platform/index.ts';
import type { TimeOrder } from '../describing/detect-formats.ts';
import { readChunks, readChunksBackward, type StoredChunk } from '../row-chunks.ts';
import { firstRowOf, lastRowOf } from '../row-text.ts';
import { CellReader } from './cell-reader.ts';
import type { ChosenColumns } from './find-columns.ts';
import { orderParts, withoutMissing } from './order-rows.ts';
import { type CollectedRows, readCells } from './read-cells.ts';

/** Which rows of a series are needed, besides the latest `latest` ones. */
interface NeededRows {
  readonly latest: number;
  readonly before: number;
  readonly limit: number;
}

/** Reads the rows of a file whose times are ordered from the latest to the earliest, as far as they are needed. */
export class LatestRows {
  readonly #chunks: AsyncGenerator<StoredChunk>;
  readonly #columns: ChosenColumns;
  readonly #cells: CellReader;
  readonly #order: TimeOrder;
  readonly #signal: AbortSignal | undefined;
  readonly #parts: CollectedRows[] = [];
  #isWhole = false;

  constructor(
    executor: Executor,
    file: { readonly id: string; readonly rows: number },
    columns: ChosenColumns,
    { order, signal }: { readonly order: TimeOrder; readonly signal?: AbortSignal | undefined },
  ) {
    this.#chunks = order === 'ascending' ? readChunksBackward(executor, file) : readChunks(executor, file);
    this.#columns = columns;
    this.#cells = new CellReader(file, columns);
    this.#order = order;
    this.#signal = signal;
  }

  /** Returns the latest rows and, of those before an instant, the last `limit`. Rows in between may be left out. */
  async read({ latest, before, limit }: NeededRows): Promise<CollectedRows> {
    for (;;) {
      const hasLatest = this.#count(Number.POSITIVE_INFINITY) >= latest;
      if (this.#isWhole || (hasLatest && this.#count(before) >= limit)) break;
      this.#signal?.throwIfAborted();
      const { value: chunk, done } = await this.#chunks.next();
      if (done) this.#isWhole = true;
      else if (!hasLatest || !this.#isAfter(chunk, before)) this.#parts.push(await this.#cells.read(chunk.bytes));
    }
    return withoutMissing(orderParts(this.#order === 'ascending' ? this.#parts.toReversed() : this.#parts));
  }

  /** Counts the rows with a value before an instant. */
  #count(before: number): number {
    let count = 0;
    for (const { times, values } of this.#parts) {
      for (let row = 0; row < times.length; row++) {
        if ((times[row] as number) < before && !Number.isNaN(values[row])) count++;
      }
    }
    return count;
  }

  /** Returns whether the earliest row of a chunk lies after an instant, so that none of its rows is needed. */
  #isAfter({ bytes }: StoredChunk, instant: number): boolean {
    const earliest = this.#order === 'ascending' ? firstRowOf(bytes) : lastRowOf(bytes);
    const { times } = readCells(earliest, this.#columns);
    return (times[0] ?? Number.NEGATIVE_INFINITY) >= instant;
  }

  [Symbol.dispose](): void {
    this.#cells[Symbol.dispose]();
  }
}
