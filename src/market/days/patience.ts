import type { ProviderError } from '../providers/provider-error.ts';

const MAX_FAILURES_IN_A_ROW = 3;
/** What cannot be read may be the fault of what was asked for, and somebody may ask for the strangest things. */
const MAX_UNREADABLE_IN_A_ROW = 20;

/** A question that was divided over and over: so often, and no more, whatever is asked for. */
const MAX_DIVISIONS = 100;

/** Remembers which providers are not worth asking any more: thousands of symbols would each wait for the same failure. */
export class Patience {
  readonly #failures = new Map<string, { inARow: number; latest: ProviderError }>();

  #divisions = 0;

  /** Whether a question that failed may be asked again in two parts. */
  mayDivide(): boolean {
    this.#divisions += 1;
    return this.#divisions <= MAX_DIVISIONS;
  }

  /** Why a provider is not asked any more; null: it is. */
  spentOn(provider: string): ProviderError | null {
    const failed = this.#failures.get(provider);
    if (failed === undefined) return null;
    const most = failed.latest.fault === 'MALFORMED' ? MAX_UNREADABLE_IN_A_ROW : MAX_FAILURES_IN_A_ROW;
    return failed.inARow >= most ? failed.latest : null;
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
