import { formatTable } from '../../../bench/format-table.ts';
import type { ResponseRecord } from '../installation.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  '503': '503, repeat the request',
  null: 'the connection broke',
  timeout: 'no response in time',
};

interface Count {
  requests: number;
  slowestMs: number;
}

/** Counts the responses to callers, and remembers which requests had none in time. */
export class Responses {
  readonly #counts = new Map<string, Count>();
  #lastWriteAt = 0;
  #firstRefusalAt: number | null = null;
  /** The longest time in which writes were sent and none was acknowledged. */
  longestPauseMs = 0;
  /** The requests without a response in time. */
  readonly unanswered: (ResponseRecord & { readonly host: string })[] = [];

  /** @param host null: its process was killed meanwhile */
  add(record: ResponseRecord, host: string | null): void {
    const { method, status, startedAt, endedAt } = record;
    const key = `${method} ${MEANINGS[String(status)] ?? status}`;
    const count = this.#counts.get(key) ?? { requests: 0, slowestMs: 0 };
    count.requests += 1;
    count.slowestMs = Math.max(count.slowestMs, endedAt - startedAt);
    this.#counts.set(key, count);
    if (status === 'timeout' && host !== null) this.unanswered.push({ ...record, host });
    if (method === 'GET') return;
    const isAcknowledged = typeof status === 'number' && status < 500;
    if (isAcknowledged) this.#lastWriteAt = Math.max(this.#lastWriteAt, startedAt);
    if (this.#firstRefusalAt !== null)
      this.longestPauseMs = Math.max(this.longestPauseMs, endedAt - this.#firstRefusalAt);
    if (isAcknowledged) this.#firstRefusalAt = null;
    else this.#firstRefusalAt ??= startedAt;
  }

  /** Returns whether a write that began later was acknowledged. */
  hasWriteSince(time: number): boolean {
    return this.#lastWriteAt > time;
  }

  format(): string {
    const rows = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return formatTable([
      ['response', 'requests', 'slowest'],
      ...rows.map(([key, { requests, slowestMs }]) => [key, String(requests), `${(slowestMs / 1_000).toFixed(1)} s`]),
    ]);
  }
}
