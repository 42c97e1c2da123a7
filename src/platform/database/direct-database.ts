import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * Opens a direct connection to a database behind a pooler, for work that takes longer than a pooler allows. Returns the
 * database itself if it is not behind a pooler. Disposal closes what was opened.
 */
export async function openDirectly(database: Database): Promise<{ readonly direct: Database } & AsyncDisposable> {
  const engine = engineOf(database);
  if (engine.kind !== 'postgres' || engine.url === engine.directUrl)
    return { direct: database, [Symbol.asyncDispose]: async () => undefined };
  const { directUrl: url } = engine;
  const direct = await openPostgres({ url, directUrl: url, poolSize: 1, connectTimeoutMs: 5_000, log: undefined });
  return { direct, [Symbol.asyncDispose]: () => direct.close() };
}
