import type { Foundation } from '../compose/index.ts';
import { formatFieldPath } from '../contract/index.ts';
import { type Config, createLog, DatabaseInUseError } from '../platform/index.ts';
import type { AdminCommand, Terminal } from './command.ts';
import { clientCommands } from './commands/clients.ts';
import { doctorOperation } from './commands/doctor.ts';
import { keyCommands } from './commands/keys.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { migrateCommands } from './commands/migrate.ts';
import { providerCommands } from './commands/providers.ts';
import { screenerCommands } from './commands/screener.ts';
import { stampCommands } from './commands/stamps.ts';
import { usageCommands } from './commands/usage.ts';
import { userCommands } from './commands/users.ts';
import { callRunningService } from './control-socket.ts';
import { inputInvalid, operationNotFound } from './faults.ts';

/** The commands that use the database. A running service executes them for the command line. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...migrateCommands,
  ...userCommands,
  ...keyCommands,
  ...clientCommands,
  ...ledgerCommands,
  ...usageCommands,
  ...screenerCommands,
  ...providerCommands,
  ...stampCommands,
];

/** How long a command waits for a service that is starting or stopping. */
const SERVICE_WAIT_MS = 15_000;
/** How long each attempt waits for the embedded database before the command looks for a running service again. */
const LOCK_WAIT_MS = 250;

/** Executes a command in the service that runs with the embedded database or, if there is none, in this process. */
export async function runOperation(
  config: Config,
  command: AdminCommand,
  input: object,
  stderr: Terminal['stderr'],
): Promise<object> {
  if (config.databaseUrl !== undefined) return executeHere(config, command, input, stderr);
  const deadline = performance.now() + SERVICE_WAIT_MS;
  for (;;) {
    const result = await callRunningService(config.dataFolder, command.name, input);
    if (result) return result;
    try {
      return await executeHere(config, command, input, stderr);
    } catch (error) {
      // A service that is starting or stopping has locked the folder but has no socket.
      if (!(error instanceof DatabaseInUseError) || performance.now() > deadline) throw error;
    }
  }
}

/** Executes a command by its name. The input is checked here, because it may come from another process. */
export async function executeOperation(foundation: Foundation, name: string, input: unknown): Promise<object> {
  const command = [...ADMIN_COMMANDS, doctorOperation].find((one) => one.name === name);
  if (!command) throw operationNotFound(name);
  return command.execute(foundation, parseInput(command, input));
}

async function executeHere(
  config: Config,
  command: AdminCommand,
  input: object,
  stderr: Terminal['stderr'],
): Promise<object> {
  // The input is checked before the database is opened or created.
  const parsed = parseInput(command, input);
  // Loaded only now, so that the help and commands that a running service executes start quickly.
  const { openFoundation } = await import('../compose/index.ts');
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel, stderr);
  const foundation = await openFoundation(config, log, LOCK_WAIT_MS);
  try {
    return await command.execute(foundation, parsed);
  } finally {
    await foundation.database.close();
  }
}

function parseInput(command: AdminCommand, input: unknown): Record<string, unknown> {
  const parsed = command.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw inputInvalid(formatFieldPath(issue?.path ?? []), issue?.message ?? 'is invalid');
}
