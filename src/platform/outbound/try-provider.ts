import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { openProviderClient, type ProviderClient } from './provider-client.ts';
import { ProviderError } from './provider-error.ts';

/** The outcome of a call: its result, or the error of the provider. */
export interface TriedCall<Result> {
  readonly result: Result | null;
  readonly error: ProviderError | null;
  /** Whether the breaker of the provider is open, so that other requests are not sent. */
  readonly isOpen: boolean;
}

/**
 * Calls a provider for a check. The call is also made while the breaker is open, so that an operator sees immediately
 * whether the cause is gone.
 */
export async function tryProvider<Result>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { id, requestsPerMinute }: { readonly id: string; readonly requestsPerMinute: number | null },
  call: (http: ProviderClient) => Promise<Result | null>,
  signal?: AbortSignal,
): Promise<TriedCall<Result>> {
  const attempt = async (http: ProviderClient) => {
    try {
      return { result: await call(http), error: null };
    } catch (error) {
      if (error instanceof ProviderError) return { result: null, error };
      throw error;
    }
  };
  const admitted = await attempt(openProviderClient({ database, clock }, { id, requestsPerMinute }, { signal }));
  if (admitted.error?.fault !== 'CIRCUIT_OPEN') return { ...admitted, isOpen: false };
  return { ...(await attempt(openProviderClient({}, { id, requestsPerMinute: null }, { signal }))), isOpen: true };
}
