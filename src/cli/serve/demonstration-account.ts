import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Foundation } from '../../compose/index.ts';
import { Fault, SCOPES } from '../../contract/index.ts';
import {
  authenticateKey,
  createAccount,
  createApiKey,
  findAccount,
  listApiKeys,
  revokeApiKey,
} from '../../identity/index.ts';
import { makePrivateFolder } from '../../platform/index.ts';

export const DEMONSTRATION_EMAIL = 'demo@almanac.local';

const KEY_NAME = 'demonstration';

/**
 * The key of the account that lets a newcomer call the service at once. Made at the first start, kept in a file that
 * only its owner can read, and made anew when the file or the key is gone.
 */
export async function demonstrationKey(foundation: Foundation): Promise<string> {
  const file = join(foundation.config.dataFolder, 'demo-api-key');
  const kept = await readKey(file);
  if (kept && (await authenticateKey(foundation.identity, kept))) return kept;
  const { id } = await demonstrationAccount(foundation);
  const key = await newKey(foundation, id);
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

/** Where the file is lost again and again (a container without a volume), the oldest of these keys makes room. */
async function newKey({ identity }: Foundation, accountId: string): Promise<string> {
  const request = { accountId, name: KEY_NAME, scopes: SCOPES };
  try {
    return (await createApiKey(identity, request)).key;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'LIMIT_REACHED') throw error;
    const oldest = (await listApiKeys(identity, accountId)).findLast(({ name }) => name === KEY_NAME);
    if (!oldest) throw error;
    await revokeApiKey(identity, { keyId: oldest.id });
    return (await createApiKey(identity, request)).key;
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
  await makePrivateFolder(folder);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, file);
}
