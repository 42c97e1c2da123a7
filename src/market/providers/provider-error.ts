/** Everything that can go wrong with a provider, by name. */
export const PROVIDER_FAULTS = {
  UNKNOWN_SYMBOL: 'does not know the symbol',
  UNAUTHORIZED: 'refused our credential',
  RATE_LIMITED: 'has had too many requests',
  UNAVAILABLE: 'is not working',
  UNREACHABLE: 'cannot be reached',
  TIMEOUT: 'took too long',
  TRUNCATED: 'broke off in the middle of a reply',
  TOO_LARGE: 'sent more than a reply may hold',
  MALFORMED: 'answered what is not in its protocol',
  PAGE_LOOP: 'sent us round in circles',
} as const;
export type ProviderFault = keyof typeof PROVIDER_FAULTS;

/** A provider failed. The caller of the service is told the name and the sentence, never the reply itself. */
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
