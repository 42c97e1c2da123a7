import { CheckpointError } from '../compute/index.ts';
import { Fault } from '../contract/index.ts';
import {
  ConfigError,
  DatabaseInUseError,
  IncompatibleFolderError,
  isUnavailable,
  MigrationFailedError,
  NewerDatabaseError,
} from '../platform/index.ts';

/** Errors whose message was written for whoever runs the command. */
const FOR_PEOPLE = [
  ConfigError,
  Fault,
  CheckpointError,
  DatabaseInUseError,
  IncompatibleFolderError,
  NewerDatabaseError,
  MigrationFailedError,
];

/** What a PostgreSQL says to a wrong user, password or database name, or to a user without the rights. */
const REFUSALS = ['28000', '28P01', '3D000', '42501'];

/** One line for what a person can mend; the stack for what only we can. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path !== undefined) return `ALMANAC_DATA cannot be used: ${error.message}.`;
  if (REFUSALS.includes(code)) return `DATABASE_URL is refused by the server: ${error.message}.`;
  // Several addresses tried in vain are one error without a message.
  if (isUnavailable(error)) return `DATABASE_URL names a server that cannot be reached: ${error.message || code}.`;
  return error.stack ?? error.message;
}
