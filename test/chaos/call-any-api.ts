import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, ResponseRecord } from './installation.ts';
import type { ManagedProcess } from './managed-process.ts';

/** A response with its `data`, or with the `code` of its error. */
export interface ApiResponse {
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly code: string;
  readonly text: string;
}

/** Calls one of the running APIs. Returns null without a response: the request may have been carried out or not. */
export async function callAnyApi(
  installation: Installation,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<ApiResponse | null> {
  const service = await waitForService(installation.processes);
  const { method = 'GET' } = init;
  const startedAt = performance.now();
  const record = (status: ResponseRecord['status']) =>
    installation.onResponse?.({ service, method, status, startedAt, endedAt: performance.now() });
  const signal = AbortSignal.timeout(installation.requestTimeoutMs);
  try {
    const response = await service.fetch(`/api/v1${path}`, { ...init, key: installation.account.key, signal });
    const text = await response.text();
    record(response.status);
    const body = JSON.parse(text) as { data?: Record<string, unknown>; error?: string | { code: string } };
    const code = typeof body.error === 'string' ? body.error : (body.error?.code ?? '');
    // The database was unavailable for a moment, possibly during the commit.
    return response.status === 503 ? null : { status: response.status, data: body.data ?? {}, code, text };
  } catch {
    record(signal.aborted ? 'timeout' : null);
    return null; // the connection broke or the request timed out
  }
}

let calls = 0;

/** Returns the running services in turn. */
async function waitForService(processes: readonly ManagedProcess[]) {
  for (;;) {
    const running = processes.flatMap(({ service }) => service ?? []);
    const chosen = running[calls++ % running.length];
    if (chosen) return chosen;
    await sleep(50);
  }
}
