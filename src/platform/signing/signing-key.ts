import { randomBytes } from 'node:crypto';
import type { Executor } from '../database/index.ts';

interface SigningTables {
  signing_key: { name: string; secret: Uint8Array };
}

/** The secret of this name, made at its first use; every process of the installation gets the same. */
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
