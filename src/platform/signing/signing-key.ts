import { randomBytes } from 'node:crypto';
import type { Executor } from '../database/index.ts';
import { once } from '../once.ts';

interface SigningTables {
  signing_key: { name: string; secret: Uint8Array };
}

/** Returns the secret with a name. It is created when it is first read; all processes of the installation share it. */
export async function readSigningKey(executor: Executor, name: string): Promise<Buffer> {
  const { secret } = await executor
    .query<SigningTables>()
    .insertInto('signing_key')
    .values({ name, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name }))
    .returning('secret')
    .executeTakeFirstOrThrow();
  return Buffer.from(secret);
}

/**
 * Returns a function that reads the secret with a name once and keeps it in memory. If the read fails, the next call
 * reads again.
 */
export function createSigningKeyReader(executor: Executor, name: string): () => Promise<Buffer> {
  return once(() => readSigningKey(executor, name));
}
