import type { Service } from '../support/cli/service.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** An account that makes and revokes keys of its own through the API. */
export interface Account {
  readonly id: string;
  /** Its own credential, which it never revokes. */
  readonly key: string;
  readonly ledger: Ledger;
}

export interface Written {
  created: number;
  revoked: number;
  /** Refused because the database was not there for a moment: right, as long as nothing else is said. */
  unavailable: number;
}

/** Far from the limit of 100: keys whose making was never answered count, too. */
const MAX_LIVE = 50;

/**
 * Writes until the service is gone, one request after the other; puts every acknowledged change into the ledger and
 * counts it in `written`. Throws on an answer that no kill explains.
 */
export async function writeUntilKilled(
  service: Service,
  account: Account,
  random: Random,
  written: Written,
): Promise<void> {
  for (;;) {
    const live = account.ledger.live();
    const revokes = live.length >= MAX_LIVE || (live.length > 0 && random() < 0.4);
    try {
      const done = revokes
        ? await revoke(service, account, live[Math.floor(random() * live.length)]?.id ?? '')
        : await create(service, account);
      written[done] += 1;
    } catch (error) {
      if (error instanceof TypeError) return; // fetch: the connection broke
      throw error;
    }
  }
}

async function create(service: Service, { key, ledger }: Account): Promise<keyof Written> {
  const response = await service.fetch('/api/v1/me/api-keys', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'soak' }),
  });
  const text = await response.text();
  if (response.status === 503) return 'unavailable';
  if (response.status !== 201) throw new Error(`making a key answered ${response.status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { id: string; key: string } };
  ledger.created(data.id, data.key);
  return 'created';
}

async function revoke(service: Service, { key, ledger }: Account, id: string): Promise<keyof Written> {
  ledger.revoking(id);
  const response = await service.fetch(`/api/v1/me/api-keys/${id}`, { key, method: 'DELETE' });
  const text = await response.text();
  if (response.status === 503) return 'unavailable';
  if (response.status !== 200) throw new Error(`revoking ${id} answered ${response.status}: ${text}`);
  ledger.revoked(id);
  return 'revoked';
}
