import { z } from 'zod';
import { adminCommand } from '../command.ts';
import { serviceOutdated } from '../faults.ts';

export const migrateCommands = [
  adminCommand({
    name: 'migrate',
    arguments: [],
    options: {},
    summary: 'Migrates the database and exits; the service also migrates it at its start.',
    example: 'migrate',
    input: z.strictObject({ migrations: z.array(z.string()) }),
    readInput: async () => ({ migrations: await listMigrations() }),
    /**
     * Checks that the build that executes the command has every migration of the command line's build. The database was
     * already migrated when it was opened.
     */
    async execute({ database }, { migrations }) {
      const known = await listMigrations();
      if (migrations.some((name) => !known.includes(name))) throw serviceOutdated();
      return { migrated: true, database: database.kind };
    },
  }),
];

/** Returns the names of all migrations of this build. */
async function listMigrations(): Promise<string[]> {
  const { MIGRATIONS } = await import('../../compose/index.ts');
  return MIGRATIONS.flatMap(({ domain, migrations }) => Object.keys(migrations).map((name) => `${domain}/${name}`));
}
