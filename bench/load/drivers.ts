import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../api/statistics.ts';
import { Connection, type Request } from './http-client.ts';

export interface Target {
  readonly port: number;
  readonly key: string;
}

/** Returns the request with this number. */
export type Requests = (i: number) => Request;

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The responses by status, such as `{ 200: 5000 }`. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** Sends as many requests as the service answers, one at a time on each connection. */
export async function sendAll(
  target: Target,
  requests: Requests,
  count: number,
  connections: number,
): Promise<Figures> {
  const open = Array.from({ length: connections }, () => new Connection(target.port, target.key));
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  let sent = 0;
  const began = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (sent < count) {
        const i = sent++;
        const sentAt = performance.now();
        const status = await connection.send(requests(i));
        latencies.push(performance.now() - sentAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  return summarize(latencies, statuses, (performance.now() - began) / 1_000, open);
}

/**
 * Sends requests at a rate, whether or not earlier ones were answered. A latency counts from the time at which the request
 * was due, so that a slow answer also delays those that wait for its connection.
 */
export async function sendAtRate(
  target: Target,
  requests: Requests,
  {
    perSecond,
    seconds,
    connections,
  }: { readonly perSecond: number; readonly seconds: number; readonly connections: number },
): Promise<Figures> {
  const open = Array.from({ length: connections }, () => new Connection(target.port, target.key));
  const count = Math.round(perSecond * seconds);
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  let next = 0;
  const began = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (next < count) {
        const i = next++;
        const dueAt = began + (1_000 * i) / perSecond;
        const wait = dueAt - performance.now();
        // A timer fires up to a millisecond late, which would count as latency of the service.
        if (wait > 1) await sleep(wait - 1);
        while (performance.now() < dueAt) await new Promise(setImmediate);
        const status = await connection.send(requests(i));
        latencies.push(performance.now() - dueAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  return summarize(latencies, statuses, (performance.now() - began) / 1_000, open);
}

function summarize(
  latencies: readonly number[],
  statuses: Record<number, number>,
  seconds: number,
  open: readonly Connection[],
): Figures {
  for (const connection of open) connection.close();
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    statuses,
  };
}

export function formatStatuses({ statuses }: Figures): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');
}
