import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Foundation } from '../../compose.ts';
import { Fault, SCOPES } from '../../contract/index.ts';
import { authenticateKey, createAccount, createApiKey, findAccount } from '../../identity/index.ts';

export const DEMONSTRATION_EMAIL = 'demo@almanac.local';

/**
 * The key of the account that lets a newcomer call the service at once. Made at the first start, kept in a file that
 * only its owner can read, and made anew when the file or the key is gone.
 */
export async function demonstrationKey(foundation: Foundation): Promise<string> {
  const file = join(foundation.config.dataFolder, 'demo-api-key');
  const kept = await readKey(file);
  if (kept && (await authenticateKey(foundation.identity, kept))) return kept;
  const { id } = await demonstrationAccount(foundation);
  const { key } = await createApiKey(foundation.identity, { accountId: id, name: 'demonstration', scopes: SCOPES });
  await writeKey(file, foundation.config.dataFolder, key);
  return key;
}

async function demonstrationAccount({ database, identity }: Foundation): Promise<{ id: string }> {
  const account = await findAccount(database, DEMONSTRATION_EMAIL);
  if (account) return account;
  try {
    const standing = { plan: 'pro', administrator: true, verified: true } as const;
    return await createAccount(identity, { email: DEMONSTRATION_EMAIL, ...standing });
  } catch (error) {
    // Another process on the same PostgreSQL was faster.
    const made =
      error instanceof Fault && error.code === 'CONFLICT' && (await findAccount(database, DEMONSTRATION_EMAIL));
    if (made) return made;
    throw error;
  }
}

async function readKey(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Written beside and renamed, so that a crash leaves the old key or the new one. */
async function writeKey(file: string, folder: string, key: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, file);
}
