/** Every way in which a provider can fail, with the predicate of the sentence that callers see. */
export const PROVIDER_FAULTS = {
  UNKNOWN_SYMBOL: 'does not have the symbol',
  UNAUTHORIZED: 'rejected the credential of this service',
  RATE_LIMITED: 'received too many requests',
  UNAVAILABLE: 'is unavailable',
  UNREACHABLE: 'cannot be reached',
  TIMEOUT: 'did not respond in time',
  TRUNCATED: 'ended a reply early',
  TOO_LARGE: 'sent a reply that is too large',
  MALFORMED: 'sent an invalid reply',
  PAGE_LOOP: 'sent pages that do not advance',
} as const;
export type ProviderFault = keyof typeof PROVIDER_FAULTS;

/** The failure of a provider. Callers see its id and the predicate, but not the reply itself. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly fault: ProviderFault;

  constructor(provider: string, fault: ProviderFault, detail?: string) {
    super(`${provider} ${PROVIDER_FAULTS[fault]}${detail === undefined ? '' : ` (${detail})`}.`);
    this.provider = provider;
    this.fault = fault;
  }
}
