import { z } from 'zod';
import { MIGRATIONS } from '../../compose/index.ts';
import { Fault } from '../../contract/index.ts';
import { adminOperation } from './operation.ts';

/** Every migration of this build. */
export const MIGRATION_NAMES = MIGRATIONS.flatMap(({ domain, migrations }) =>
  Object.keys(migrations).map((name) => `${domain}/${name}`),
);

export const migrateOperations = {
  /** Opening a foundation migrates. What is left to do is to see that it knew all that the caller has in mind. */
  migrate: adminOperation({
    input: z.strictObject({ migrations: z.array(z.string()) }),
    async run({ database }, { migrations }) {
      if (migrations.some((name) => !MIGRATION_NAMES.includes(name))) {
        throw new Fault('CONFLICT', 'The running service is of an older build. Restart it: its start migrates.');
      }
      return { migrated: true, database: database.kind };
    },
  }),
};
