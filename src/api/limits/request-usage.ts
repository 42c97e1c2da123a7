import type { Account } from '../../access/index.ts';
import type { Config, Database } from '../../platform/index.ts';
import { readWindow } from './lease-store.ts';
import { requestLimitsFor } from './request-limits.ts';

export interface RequestUsage {
  readonly limit: number;
  readonly left: number;
  /** Seconds until the window ends; null if the account has sent no request in the last minute. */
  readonly secondsLeft: number | null;
}

/**
 * Returns how many requests of an account all processes have counted in the current window. A process counts a batch of
 * requests in advance, so the number of requests left can be too low by up to one batch per process.
 */
export async function readRequestUsage(
  { database, config }: { readonly database: Database; readonly config: Config },
  account: Account,
): Promise<RequestUsage> {
  const [{ key, requests: limit }] = requestLimitsFor(account, '', config);
  const window = await readWindow(database, key);
  return { limit, left: Math.max(0, limit - (window?.used ?? 0)), secondsLeft: window?.secondsLeft ?? null };
}
