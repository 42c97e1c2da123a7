import { ApiError, callApi } from '../api.ts';
import type { Rows, SeriesData } from './page.ts';

interface Response {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly next_cursor?: string | null;
}

/** Reads the rows of the page, from the page itself if it has them. */
export async function loadRows({ rows, request }: SeriesData): Promise<Rows> {
  if (rows !== null) return rows;
  return toColumns(await callApi<Response>(request.path, { method: 'POST', body: request.body }));
}

/** Reads bars before the known ones, page by page. */
export class OlderBars {
  readonly #path: string;
  readonly #body: object;
  #cursor: string | null;
  #isLoading = false;
  /** When a failed request may be repeated; infinite if only the reader repeats it. */
  #pausedUntil = 0;

  constructor({ request, older }: SeriesData) {
    this.#path = request.path;
    this.#body = older?.body ?? {};
    this.#cursor = older?.cursor ?? null;
  }

  get canLoad(): boolean {
    return this.#cursor !== null && !this.#isLoading && performance.now() >= this.#pausedUntil;
  }

  get hasMore(): boolean {
    return this.#cursor !== null;
  }

  /** Allows the next request after a failed one before its time. */
  resume(): void {
    this.#pausedUntil = 0;
  }

  /** Reads the next page. If that fails, nothing can be loaded until the stated time, or until it is resumed. */
  async load(): Promise<Rows> {
    this.#isLoading = true;
    try {
      const body = { ...this.#body, cursor: this.#cursor };
      const response = await callApi<Response>(this.#path, { method: 'POST', body });
      this.#cursor = response.next_cursor ?? null;
      return toColumns(response);
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfter : null;
      this.#pausedUntil = seconds === null ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
      throw error;
    } finally {
      this.#isLoading = false;
    }
  }
}

function toColumns({ rows }: Response): Rows {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'timestamp');
  return {
    timestamps: rows.map((row) => Date.parse(String(row.timestamp))),
    columns: Object.fromEntries(names.map((name) => [name, rows.map((row) => Number(row[name]))])),
  };
}

/** Puts older rows before others. */
export function joinRows(older: Rows, newer: Rows): Rows {
  return {
    timestamps: [...older.timestamps, ...newer.timestamps],
    columns: Object.fromEntries(
      Object.entries(newer.columns).map(([name, values]) => [name, [...(older.columns[name] ?? []), ...values]]),
    ),
  };
}
