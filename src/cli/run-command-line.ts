import { type Command, findCommand, UsageError } from './command.ts';
import { clientCommands } from './commands/clients.ts';
import { keyCommands } from './commands/keys.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { modelCommands } from './commands/models.ts';
import { proofCommands } from './commands/proof.ts';
import { scoutCommands } from './commands/scout.ts';
import { screenerCommands } from './commands/screener.ts';
import { serviceCommands } from './commands/service.ts';
import { userCommands } from './commands/users.ts';

export const COMMANDS: readonly Command[] = [
  ...serviceCommands,
  ...userCommands,
  ...keyCommands,
  ...clientCommands,
  ...ledgerCommands,
  ...screenerCommands,
  ...proofCommands,
  ...modelCommands,
  ...scoutCommands,
];

/** Runs one command; says in the exit code how it went: 0 done, 1 refused or failed, 2 typed wrongly. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help());
    return args.length === 0 ? 2 : 0;
  }
  try {
    const { command, positionals, values } = findCommand(COMMANDS, args);
    const { loadConfig } = await import('../platform/index.ts');
    const result = await command.run(loadConfig(process.env), positionals, values);
    if (result !== undefined) process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`almanac: ${error.message}\n`);
      return 2;
    }
    const { explain } = await import('./explain.ts');
    process.stderr.write(`almanac: ${explain(error)}\n`);
    return 1;
  }
}

function help(): string {
  const lines = COMMANDS.map(({ words, usage, help }) => `  almanac ${`${words} ${usage}`.trimEnd()}\n      ${help}`);
  return `Almanac: forecasting, market data and workspaces.\n\n${lines.join('\n')}\n\nSettings come from the environment; docs/configuration.md lists them.\n`;
}
