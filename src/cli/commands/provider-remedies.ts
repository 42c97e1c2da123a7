import { PROVIDER_IDS, PROVIDER_KEY_SETTINGS, type ProviderFault } from '../../platform/index.ts';

/** Returns the names of the settings with the key of a provider; none if it needs no key. */
export function keySettingsOf(provider: string): readonly string[] {
  if (provider === 'fred') return ['ALMANAC_FRED_KEY'];
  const id = PROVIDER_IDS.find((candidate) => candidate === provider);
  return id === undefined ? [] : PROVIDER_KEY_SETTINGS[id];
}

/** Returns a sentence that tells an operator what to do about a failed check; the fault is null if there were no bars. */
export function remedyFor(provider: string, fault: ProviderFault | null): string {
  const prefix = `ALMANAC_${provider.toUpperCase()}`;
  const keys = keySettingsOf(provider).join(' and ');
  switch (fault) {
    case 'UNAUTHORIZED':
      return keys === '' ? 'Try again later.' : `Check ${keys}.`;
    case 'FORBIDDEN':
      return keys === '' ? 'Try again later.' : `Check ${keys}, and whether the plan of the key includes this data.`;
    case 'RATE_LIMITED':
      return `Try again in a minute. If it happens often, lower ${prefix}_REQUESTS_PER_MINUTE.`;
    case 'UNREACHABLE':
      return `Check ${prefix}_URL, and whether this machine can reach it.`;
    case 'UNAVAILABLE':
    case 'TIMEOUT':
    case 'TRUNCATED':
    case 'CIRCUIT_OPEN':
      return `Try again later. If it happens often, check ${prefix}_URL and the network of this machine.`;
    case 'NOT_FOUND':
    case 'REJECTED':
    case 'TOO_LARGE':
    case 'MALFORMED':
    case 'PAGE_LOOP':
    case null:
      return `Check ${prefix}_URL. If it is right, the provider has changed its protocol.`;
  }
}
