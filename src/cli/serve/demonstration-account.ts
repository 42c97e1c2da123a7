import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Foundation } from '../../compose/index.ts';
import { Fault, SCOPES } from '../../contract/index.ts';
import {
  authenticateKey,
  createAccount,
  createApiKey,
  DEMONSTRATION_EMAIL,
  findAccount,
  listApiKeys,
  revokeApiKey,
} from '../../identity/index.ts';
import { makePrivateFolder } from '../../platform/index.ts';

const KEY_NAME = 'demonstration';

/**
 * Returns the API key of the demonstration account. It lets a newcomer call the service immediately. The account and
 * the key are created when the service first starts, and the key is stored in a file that only its owner can read. If
 * the file is missing or the key is no longer valid, a new key is created.
 */
export async function ensureDemonstrationKey(foundation: Foundation): Promise<string> {
  const file = join(foundation.config.dataFolder, 'demo-api-key');
  const stored = await readKey(file);
  if (stored && (await authenticateKey(foundation.identity, stored))) return stored;
  const { id } = await findOrCreateAccount(foundation);
  const key = await createKey(foundation, id);
  await writeKey(file, foundation.config.dataFolder, key);
  return key;
}

/** Logs that the demonstration account is refused, if there is one: a service on loopback may have created it. */
export async function reportRefusedAccount({ database, log }: Foundation): Promise<void> {
  if (!(await findAccount(database, DEMONSTRATION_EMAIL))) return;
  log.warn(
    `The credentials of ${DEMONSTRATION_EMAIL} are refused, because SITE_URL is public. Create an account with ` +
      `\`almanac user create EMAIL\`, then remove this one with \`almanac user remove ${DEMONSTRATION_EMAIL}\`.`,
  );
}

async function findOrCreateAccount({ database, identity }: Foundation): Promise<{ id: string }> {
  const account = await findAccount(database, DEMONSTRATION_EMAIL);
  if (account) return account;
  try {
    const standing = { plan: 'pro', administrator: true, verified: true } as const;
    return await createAccount(identity, { email: DEMONSTRATION_EMAIL, ...standing });
  } catch (error) {
    // Another process with the same PostgreSQL database may have created the account in the meantime.
    const created =
      error instanceof Fault && error.code === 'CONFLICT' && (await findAccount(database, DEMONSTRATION_EMAIL));
    if (created) return created;
    throw error;
  }
}

/**
 * Creates a key. If the limit is reached, first revokes the oldest key: keys pile up if the file is lost at every
 * start.
 */
async function createKey({ identity }: Foundation, accountId: string): Promise<string> {
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

/** Writes the key to another file and renames it, so that a crash leaves the old key or the new one. */
async function writeKey(file: string, folder: string, key: string): Promise<void> {
  await makePrivateFolder(folder);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, file);
}
