import { z } from 'zod';
import { adminCommand } from '../command.ts';
import { serviceOutdated } from '../faults.ts';

export const migrateCommands = [
  adminCommand({
    name: 'migrate',
    arguments: [],
    options: {},
    summary: 'Migrates the database and exits; a start of the service migrates as well.',
    example: 'migrate',
    input: z.strictObject({ migrations: z.array(z.string()) }),
    readInput: async () => ({ migrations: await listMigrations() }),
    /** Opening a foundation migrates. What remains is to check that its build knows every migration of the caller's. */
    async execute({ database }, { migrations }) {
      const known = await listMigrations();
      if (migrations.some((name) => !known.includes(name))) throw serviceOutdated();
      return { migrated: true, database: database.kind };
    },
  }),
];

/** Returns every migration of this build. */
async function listMigrations(): Promise<string[]> {
  const { MIGRATIONS } = await import('../../compose/index.ts');
  return MIGRATIONS.flatMap(({ domain, migrations }) => Object.keys(migrations).map((name) => `${domain}/${name}`));
}
