import type { Foundation } from '../../compose/index.ts';

/**
 * Returns the last output at startup: the address, what leaves the machine or is published, and a first request to try.
 * Scripts read the line `API key:`.
 *
 * @param key the key of the demonstration account, or null if there is none
 */
export function formatAnnouncement(
  siteUrl: string,
  key: string | null,
  { config, adapters }: Pick<Foundation, 'config' | 'adapters'>,
): string {
  const lines = [`Almanac is ready at ${siteUrl} (API documentation: ${siteUrl}/docs)`];
  const searched = adapters.filter(({ search }) => search !== undefined).map(({ name }) => name);
  if (searched.length > 0) {
    lines.push(
      `The words of a search with few results are also sent to ${searched.join(' and ')}. Set ALMANAC_ECONOMIC_PROVIDERS=none to keep them on this machine.`,
    );
  }
  const { folder, guests } = config.warehouse;
  if (folder !== null) {
    lines.push(
      guests
        ? 'The tables in ALMANAC_WAREHOUSE are published to all callers that may search, guests included. Set ALMANAC_WAREHOUSE_GUESTS=off to hide them from guests.'
        : 'The tables in ALMANAC_WAREHOUSE are published to all accounts, but not to guests (ALMANAC_WAREHOUSE_GUESTS=off).',
    );
  }
  const { stamper } = config.stamps;
  if (stamper !== null) {
    const place = stamper.kind === 'vbase' ? 'through vBase' : `on the chain ${stamper.chainId}`;
    lines.push(`The content ids of proofs are recorded ${place}, as ALMANAC_STAMP selects them.`);
  }
  if (key !== null) {
    lines.push(`API key: ${key}`, 'Try it:', `curl -s -H "Authorization: Bearer ${key}" ${siteUrl}/api/v1/me/access`);
  }
  return `${lines.join('\n')}\n`;
}
