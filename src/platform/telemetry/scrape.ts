import type { GaugeName } from './catalogue.ts';

/** How full a queue is. */
export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  /** Of the job that has waited longest. */
  readonly oldestSeconds: number;
}

/** What is known elsewhere and looked up when the page is read. */
export interface ScrapeSources {
  queues(): Promise<readonly QueueDepth[]>;
  connections(): { readonly inUse: number; readonly waiting: number };
}

interface SettableGauge {
  set(labels: Record<string, string>, value: number): void;
  reset(): void;
}

/** Prometheus gives up after ten seconds by default; a page without the queues is worth more than none. */
const PATIENCE_MS = 1_000;

/** Asked once at a time: a database that hangs must not be asked again by every page. */
const asking = new WeakMap<ScrapeSources, Promise<readonly QueueDepth[]>>();

/** Looks up what is needed, within a moment. Of queues that could not be read, nothing is said rather than old news. */
export async function scrapeInto(sources: ScrapeSources, gaugeOf: (name: GaugeName) => SettableGauge): Promise<void> {
  const { inUse, waiting } = sources.connections();
  gaugeOf('database_connections').set({ state: 'in_use' }, inUse);
  gaugeOf('database_connections').set({ state: 'waiting' }, waiting);
  const depths = await depthsOf(sources);
  gaugeOf('queue_readable').set({}, depths === null ? 0 : 1);
  for (const name of ['queue_jobs_waiting', 'queue_oldest_waiting_seconds'] as const) gaugeOf(name).reset();
  for (const depth of depths ?? []) {
    gaugeOf('queue_jobs_waiting').set({ queue: depth.queue }, depth.waiting);
    gaugeOf('queue_oldest_waiting_seconds').set({ queue: depth.queue }, depth.oldestSeconds);
  }
}

async function depthsOf(sources: ScrapeSources): Promise<readonly QueueDepth[] | null> {
  let asked = asking.get(sources);
  if (asked === undefined) {
    asked = sources.queues().finally(() => asking.delete(sources));
    asking.set(sources, asked);
  }
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, PATIENCE_MS, null);
  try {
    return await Promise.race([asked, tooLate]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
