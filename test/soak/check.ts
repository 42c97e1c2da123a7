import type { Service } from '../support/cli/service.ts';
import type { Random } from './random.ts';
import type { SoakDatabase } from './soak-database.ts';
import type { Account } from './writer.ts';

/** Keys of either kind that are tried out in each check: all of them would be too many requests. */
const TRIED = 5;

/** Looks at the stored rows themselves. */
export async function checkBySql(database: SoakDatabase, accounts: readonly Account[]): Promise<string[]> {
  const rows = await database.storedKeys();
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id);
  return accounts.flatMap((account) => {
    const stored = new Map(
      (byAccount.get(account.id) ?? [])
        .filter(({ name }) => name === 'soak')
        .map(({ id, revoked }) => [id, revoked ? ('revoked' as const) : ('live' as const)]),
    );
    return account.ledger.compare(stored, 'all').map((fault) => `by SQL: ${fault}`);
  });
}

/** Asks the service, as a user would: which keys are there, and do they open the door? */
export async function checkByApi(service: Service, accounts: readonly Account[], random: Random): Promise<string[]> {
  const faults = await Promise.all(accounts.map((account) => checkAccount(service, account, random)));
  return faults.flat().map((fault) => `by API: ${fault}`);
}

async function checkAccount(service: Service, { key, ledger }: Account, random: Random): Promise<string[]> {
  const response = await service.fetch('/api/v1/me/api-keys', { key });
  if (response.status !== 200) return [`the list of keys answered ${response.status}`];
  const { data } = (await response.json()) as { data: { api_keys: { id: string; name: string }[] } };
  const live = data.api_keys.filter(({ name }) => name === 'soak').map(({ id }) => [id, 'live' as const] as const);
  const faults = ledger.compare(new Map(live), 'live only');
  const secrets = ledger.live().flatMap(({ secret }) => secret ?? []);
  for (const secret of some(secrets, random)) {
    const { status } = await service.fetch('/api/v1/me/access', { key: secret });
    if (status !== 200) faults.push(`a live key answered ${status}`);
  }
  for (const secret of some(ledger.revokedSecrets(), random)) {
    const { status } = await service.fetch('/api/v1/me/access', { key: secret });
    if (status !== 401) faults.push(`a revoked key answered ${status}`);
  }
  return faults;
}

function some<T>(items: readonly T[], random: Random): T[] {
  return Array.from({ length: Math.min(TRIED, items.length) }, () => {
    return items[Math.floor(random() * items.length)] as T;
  });
}
