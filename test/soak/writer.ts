import type { Service } from '../support/cli/service.ts';
import type { Random } from '../support/platform/seeded-random.ts';
import type { AcknowledgedKeys } from './acknowledged-keys.ts';

/** An account that creates and revokes its own keys through the API. */
export interface Account {
  readonly id: string;
  /** The credential of the account, which is never revoked. */
  readonly key: string;
  readonly keys: AcknowledgedKeys;
}

export interface Written {
  created: number;
  revoked: number;
  /** Requests that were refused because the database was unavailable for a moment. */
  unavailable: number;
}

/** Well below the limit of 100, because keys without a response also count. */
const MAX_LIVE = 50;

/**
 * Sends one request after the other until the service is gone. Records every acknowledged change and counts it in
 * `written`. Throws on a response that a kill does not explain.
 */
export async function writeUntilKilled(
  service: Service,
  account: Account,
  random: Random,
  written: Written,
): Promise<void> {
  for (;;) {
    const live = account.keys.live();
    const mustRevoke = live.length >= MAX_LIVE || (live.length > 0 && random() < 0.4);
    try {
      const done = mustRevoke
        ? await revoke(service, account, live[Math.floor(random() * live.length)]?.id ?? '')
        : await create(service, account);
      written[done] += 1;
    } catch (error) {
      if (error instanceof TypeError) return; // fetch: the connection broke
      throw error;
    }
  }
}

async function create(service: Service, { key, keys }: Account): Promise<keyof Written> {
  const response = await service.fetch('/api/v1/me/api-keys', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'soak' }),
  });
  const text = await response.text();
  if (response.status === 503) return 'unavailable';
  if (response.status !== 201) throw new Error(`creating a key got ${response.status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { id: string; key: string } };
  keys.created(data.id, data.key);
  return 'created';
}

async function revoke(service: Service, { key, keys }: Account, id: string): Promise<keyof Written> {
  keys.revoking(id);
  const response = await service.fetch(`/api/v1/me/api-keys/${id}`, { key, method: 'DELETE' });
  const text = await response.text();
  if (response.status === 503) return 'unavailable';
  if (response.status !== 200) throw new Error(`revoking ${id} got ${response.status}: ${text}`);
  keys.revoked(id);
  return 'revoked';
}
