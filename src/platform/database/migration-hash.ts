import { createHash } from 'node:crypto';
import { type DatabaseConnection, type Driver, Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import type { Migration } from 'kysely/migration';

const hashes = new WeakMap<Migration, Promise<string>>();

/**
 * Returns the hash of the SQL that a migration sends, with its parameters. It runs the migration without a database:
 * every statement returns no rows. Comments and formatting of the code and blanks between words of the SQL do not
 * change the hash.
 */
export function hashMigration(migration: Migration): Promise<string> {
  const hash = hashes.get(migration) ?? recordStatements(migration).then(digest);
  hashes.set(migration, hash);
  return hash;
}

function digest(statements: readonly Statement[]): string {
  const lines = statements.map(({ sql, parameters }) => JSON.stringify([sql.trim().replace(/\s+/g, ' '), parameters]));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

async function recordStatements({ up }: Migration): Promise<Statement[]> {
  const statements: Statement[] = [];
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      statements.push({ sql, parameters });
      return { rows: [] };
    },
    // biome-ignore lint/correctness/useYield: no migration streams rows.
    async *streamQuery() {
      throw new Error('A migration must not stream rows.');
    },
  };
  const nothing = async () => {};
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  await up(
    new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: () => {
          throw new Error('A migration must not ask for the schema.');
        },
      },
    }),
  );
  return statements;
}
