import { createHmac } from 'node:crypto';
import type { Account, Guest } from '../../access/index.ts';
import type { JobContext } from '../context.ts';

/**
 * What the forecasts of a guest's network are counted under; null: of an account, which is counted by itself. Keyed,
 * because a plain digest of an address is found again by trying all addresses.
 */
export async function guestNetwork(
  { cursorKey }: Pick<JobContext, 'cursorKey'>,
  { kind }: Account | Guest,
  network: string | null,
): Promise<string | null> {
  if (kind !== 'guest' || network === null) return null;
  const mark = createHmac('sha256', await cursorKey()).update(`network ${network}`);
  return `network:${mark.digest('hex').slice(0, 32)}`;
}
