import type { Database } from './database.ts';
import { engineOf } from './engine.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * Opens a direct connection to PostgreSQL, for work that takes longer than a pooler allows and than statements of requests may
 * take. Returns an embedded database itself. Disposal closes what was opened.
 */
export async function openDirectly(database: Database): Promise<{ readonly direct: Database } & AsyncDisposable> {
  const engine = engineOf(database);
  if (engine.kind !== 'postgres') return { direct: database, [Symbol.asyncDispose]: async () => undefined };
  const { directUrl: url, currentUrl } = engine;
  const direct = await openPostgres({
    url,
    directUrl: url,
    currentUrl,
    poolSize: 1,
    connectTimeoutMs: 5_000,
    maxSilenceMs: null,
    log: undefined,
  });
  return { direct, [Symbol.asyncDispose]: () => direct.close() };
}
