import type { Foundation } from '../compose/index.ts';
import { formatFieldPath } from '../contract/index.ts';
import { type Config, copyEmbeddedDatabase, createLog, DatabaseInUseError } from '../platform/index.ts';
import { COPY_OPERATION } from './backup/open-source.ts';
import type { AdminCommand, Terminal } from './command.ts';
import { checkCommands } from './commands/check.ts';
import { clientCommands } from './commands/clients.ts';
import { doctorOperation } from './commands/doctor.ts';
import { keyCommands } from './commands/keys.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { migrateCommands } from './commands/migrate.ts';
import { providerCommands } from './commands/providers.ts';
import { screenerCommands } from './commands/screener.ts';
import { secretCommands } from './commands/secrets.ts';
import { stampCommands } from './commands/stamps.ts';
import { STORAGE_STEPS, storageCommands } from './commands/storage.ts';
import { usageCommands } from './commands/usage.ts';
import { userCommands } from './commands/users.ts';
import { callRunningService, findRunningService } from './control-socket.ts';
import { inputInvalid, operationNotFound, serviceSilent } from './faults.ts';

/** The commands that use the database. A running service executes them for the command line. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...migrateCommands,
  ...userCommands,
  ...keyCommands,
  ...clientCommands,
  ...secretCommands,
  ...ledgerCommands,
  ...checkCommands,
  ...storageCommands,
  ...usageCommands,
  ...screenerCommands,
  ...providerCommands,
  ...stampCommands,
];

/** The operations that other commands run several times. */
const STEP_OPERATIONS: readonly AdminCommand[] = STORAGE_STEPS;

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
    const result = await callRunningService(config.dataFolder, command.name, input, command.replyTimeoutMs);
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
  if (name === COPY_OPERATION) {
    return copyEmbeddedDatabase(foundation.database, foundation.config.dataFolder);
  }
  const command = [...ADMIN_COMMANDS, ...STEP_OPERATIONS, doctorOperation].find((one) => one.name === name);
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
  const foundation = await openHere(config, stderr, command.changesNothing);
  try {
    return await command.execute(foundation, parsed);
  } finally {
    await foundation.database.close();
  }
}

async function openHere(config: Config, stderr: Terminal['stderr'], asItIs = false): Promise<Foundation> {
  // Loaded only now, so that the help and commands that a running service executes start quickly.
  const { openFoundation } = await import('../compose/index.ts');
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel, stderr);
  return openFoundation(config, log, { lockWaitMs: LOCK_WAIT_MS, asItIs });
}

/** Executes operations by their names, one after the other. */
export interface Operations extends AsyncDisposable {
  run(name: string, input: object): Promise<object>;
}

/**
 * Opens what executes several operations: the service that runs with the embedded database or, if there is none, this
 * process, which then opens the database once.
 */
export async function openOperations(config: Config, stderr: Terminal['stderr']): Promise<Operations> {
  const deadline = performance.now() + SERVICE_WAIT_MS;
  for (;;) {
    if (config.databaseUrl === undefined && (await findRunningService(config.dataFolder)) !== null) {
      return {
        async run(name, input) {
          const result = await callRunningService(config.dataFolder, name, input);
          if (result === null) throw serviceSilent();
          return result;
        },
        [Symbol.asyncDispose]: async () => undefined,
      };
    }
    try {
      const foundation = await openHere(config, stderr);
      return {
        run: (name, input) => executeOperation(foundation, name, input),
        [Symbol.asyncDispose]: () => foundation.database.close(),
      };
    } catch (error) {
      if (!(error instanceof DatabaseInUseError) || performance.now() > deadline) throw error;
    }
  }
}

function parseInput(command: AdminCommand, input: unknown): Record<string, unknown> {
  const parsed = command.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw inputInvalid(formatFieldPath(issue?.path ?? []), issue?.message ?? 'is invalid');
}
