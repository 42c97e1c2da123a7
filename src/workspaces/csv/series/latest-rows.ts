import type { Executor } from '../../../platform/index.ts';
import type { TimeOrder } from '../describing/detect-formats.ts';
import { readChunks, readChunksBackward, type StoredChunk } from '../row-chunks.ts';
import { type ChosenColumns, type CollectedRows, orderParts, parseRows } from './collect-rows.ts';

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
    this.#order = order;
    this.#signal = signal;
  }

  /** Returns the latest rows and, of those before an instant, the last `limit`. Rows in between may be left out. */
  async read({ latest, before, limit }: NeededRows): Promise<CollectedRows> {
    for (;;) {
      const hasLatest = this.#count(Number.POSITIVE_INFINITY) >= latest;
      if (this.#isWhole || (hasLatest && this.#count(before) >= limit)) break;
      const { value: chunk, done } = await this.#chunks.next();
      if (done) this.#isWhole = true;
      else if (!hasLatest || !(await this.#isAfter(chunk, before))) {
        this.#parts.push(await parseRows(chunk.rows, this.#columns, this.#signal));
      }
    }
    return orderParts(this.#order === 'ascending' ? this.#parts.toReversed() : this.#parts);
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
  async #isAfter({ rows }: StoredChunk, instant: number): Promise<boolean> {
    const earliest = this.#order === 'ascending' ? rows.slice(0, 1) : rows.slice(-1);
    const { times } = await parseRows(earliest, this.#columns, this.#signal);
    return (times[0] ?? Number.NEGATIVE_INFINITY) >= instant;
  }
}
