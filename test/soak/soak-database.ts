import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openDatabase } from '../../src/platform/index.ts';
import { emptyPostgres, preparedFolder, type ServiceOptions, temporaryFolder } from '../support/cli/service.ts';

export interface StoredKey {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly revoked: boolean;
}

/** A database whose service is killed. */
export interface SoakDatabase extends AsyncDisposable {
  readonly kind: 'pglite' | 'postgres';
  /** The options with which a service starts on it. */
  readonly options: ServiceOptions;
  /** Reads the stored rows while the service is down. */
  readKeys(): Promise<StoredKey[]>;
  /** Deletes a row directly, to prove that the checks detect it. */
  deleteKey(id: string): Promise<void>;
  /** Terminates every connection of the service on the server. Returns their number, 0 if there are none. */
  cutConnections(): Promise<number>;
}

const KEYS = 'select id, account_id, name, revoked_at is not null as revoked from api_key';

export async function openPgliteSoak(): Promise<SoakDatabase> {
  const folder = await preparedFolder();
  return {
    kind: 'pglite',
    options: { data: folder.data },
    // In a copy: the service itself must be the first to open the files after the kill.
    readKeys: async () => {
      const copy = temporaryFolder();
      cpSync(join(folder.data, 'database'), join(copy, 'database'), { recursive: true });
      const database = await openDatabase({ folder: copy });
      try {
        return (await sql<StoredKey>`${sql.raw(KEYS)}`.execute(database.query())).rows;
      } finally {
        await database.close();
        rmSync(copy, { recursive: true, force: true });
      }
    },
    deleteKey: async (id) => {
      const database = await openDatabase({ folder: folder.data, lockWaitMs: 5_000 });
      await sql`delete from api_key where id = ${id}`.execute(database.query());
      await database.close();
    },
    cutConnections: async () => 0,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export async function openPostgresSoak(): Promise<SoakDatabase> {
  const server = await emptyPostgres();
  const data = temporaryFolder();
  const run = async <Row extends object>(statement: string, values: string[] = []): Promise<Row[]> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    kind: 'postgres',
    options: { data, databaseUrl: server.url },
    readKeys: () => run<StoredKey>(KEYS),
    deleteKey: async (id) => {
      await run('delete from api_key where id = $1', [id]);
    },
    cutConnections: async () => {
      const cut = await run(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'almanac%'`,
      );
      return cut.length;
    },
    [Symbol.asyncDispose]: async () => {
      rmSync(data, { recursive: true, force: true });
      await server[Symbol.asyncDispose]();
    },
  };
}
