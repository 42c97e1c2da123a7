import type { Service } from '../support/cli/service.ts';
import type { Random } from '../support/platform/seeded-random.ts';
import type { SoakDatabase } from './soak-database.ts';
import type { Account } from './writer.ts';

/** The number of live and of revoked keys that each check tries. Trying all of them would take too many requests. */
const SAMPLE_SIZE = 5;

/** Compares the stored rows with the acknowledged keys. */
export async function findSqlViolations(database: SoakDatabase, accounts: readonly Account[]): Promise<string[]> {
  const rows = await database.readKeys();
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id);
  return accounts.flatMap((account) => {
    const stored = new Map(
      (byAccount.get(account.id) ?? [])
        .filter(({ name }) => name === 'soak')
        .map(({ id, revoked }) => [id, revoked ? ('revoked' as const) : ('live' as const)]),
    );
    return account.keys.compare(stored, 'all').map((violation) => `by SQL: ${violation}`);
  });
}

/** Compares the keys that the API lists and accepts with the acknowledged keys. */
export async function findApiViolations(
  service: Service,
  accounts: readonly Account[],
  random: Random,
): Promise<string[]> {
  const violations = await Promise.all(accounts.map((account) => checkAccount(service, account, random)));
  return violations.flat().map((violation) => `by API: ${violation}`);
}

async function checkAccount(service: Service, { key, keys }: Account, random: Random): Promise<string[]> {
  const response = await service.fetch('/api/v1/me/api-keys', { key });
  if (response.status !== 200) return [`the list of keys got ${response.status}`];
  const { data } = (await response.json()) as { data: { api_keys: { id: string; name: string }[] } };
  const live = data.api_keys.filter(({ name }) => name === 'soak').map(({ id }) => [id, 'live' as const] as const);
  const violations = keys.compare(new Map(live), 'live only');
  const secrets = keys.live().flatMap(({ secret }) => secret ?? []);
  for (const secret of sample(secrets, random)) {
    const { status } = await service.fetch('/api/v1/me/access', { key: secret });
    if (status !== 200) violations.push(`a live key got ${status}`);
  }
  for (const secret of sample(keys.revokedSecrets(), random)) {
    const { status } = await service.fetch('/api/v1/me/access', { key: secret });
    if (status !== 401) violations.push(`a revoked key got ${status}`);
  }
  return violations;
}

function sample<T>(items: readonly T[], random: Random): T[] {
  return Array.from({ length: Math.min(SAMPLE_SIZE, items.length) }, () => {
    return items[Math.floor(random() * items.length)] as T;
  });
}
