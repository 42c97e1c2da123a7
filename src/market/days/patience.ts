import type { ProviderError } from '../providers/provider-error.ts';

const MOST_FAILURES_IN_A_ROW = 3;

/** Remembers which providers are not worth asking any more: thousands of symbols would each wait for the same failure. */
export class Patience {
  readonly #failures = new Map<string, { inARow: number; latest: ProviderError }>();

  /** Why a provider is not asked any more; null: it is. */
  spentOn(provider: string): ProviderError | null {
    const failed = this.#failures.get(provider);
    return failed !== undefined && failed.inARow >= MOST_FAILURES_IN_A_ROW ? failed.latest : null;
  }

  /** It did not answer, or nothing that can be used. */
  failed(error: ProviderError): void {
    const inARow = (this.#failures.get(error.provider)?.inARow ?? 0) + 1;
    this.#failures.set(error.provider, { inARow, latest: error });
  }

  answered(provider: string): void {
    this.#failures.delete(provider);
  }
}
