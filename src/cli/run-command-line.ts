import { type Config, loadConfig, ProxyRequiredError } from '../platform/index.ts';
import { type Command, FailedCheckError, findCommand, parseCommandLine, type Terminal, UsageError } from './command.ts';
import { backupCommands } from './commands/backup.ts';
import { completionCommands } from './commands/completion.ts';
import { describeCommands } from './commands/describe.ts';
import { doctorCommands } from './commands/doctor.ts';
import { forecastCommands } from './commands/forecast.ts';
import { historyCommands } from './commands/history.ts';
import { modelCommands } from './commands/models.ts';
import { moveStorageCommands } from './commands/move-storage.ts';
import { proofCommands } from './commands/proof.ts';
import { scoutCommands } from './commands/scout.ts';
import { searchCommands } from './commands/search.ts';
import { serviceCommands } from './commands/service.ts';
import { versionCommands } from './commands/version.ts';
import { watchCommands } from './commands/watch.ts';
import { CommandFailure, EXIT_CODES } from './exit-codes.ts';
import { formatCommandHelp, formatCommandList } from './help.ts';
import { ADMIN_COMMANDS, runOperation } from './run-operation.ts';

/** What a terminal could take for a command. Messages quote files and replies. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

const COMMANDS: readonly Command[] = [
  ...serviceCommands,
  ...doctorCommands,
  ...ADMIN_COMMANDS,
  ...backupCommands,
  ...moveStorageCommands,
  ...proofCommands,
  ...modelCommands,
  ...scoutCommands,
  ...forecastCommands,
  ...searchCommands,
  ...describeCommands,
  ...historyCommands,
  ...watchCommands,
  ...versionCommands,
  ...completionCommands(() => COMMANDS),
];

/** Runs a command. Returns its exit code. */
export async function runCommandLine(words: readonly string[], terminal: Terminal = process): Promise<number> {
  const { stdout, stderr } = terminal;
  try {
    if (words.length === 0) {
      stdout.write(formatCommandList(COMMANDS));
      return EXIT_CODES.usage;
    }
    if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
      stdout.write(formatHelp(words.filter((word) => !['help', '--help', '-h'].includes(word))));
      return EXIT_CODES.done;
    }
    const result = await runCommand(words[0] === '--version' ? ['version'] : words, terminal);
    if (result !== undefined) stdout.write(formatResult(result));
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`almanac: ${error.message}\n`);
      return EXIT_CODES.usage;
    }
    if (error instanceof CommandFailure) {
      stderr.write(`almanac: ${error.message.replace(CONTROL, ' ')}\n`);
      return error.exitCode;
    }
    if (error instanceof FailedCheckError) stdout.write(formatResult(error.result));
    const { explainError } = await import('./explain-error.ts');
    stderr.write(`almanac: ${explainError(error)}\n`);
    return EXIT_CODES.failed;
  }
}

async function runCommand(words: readonly string[], terminal: Terminal): Promise<object | string | undefined> {
  const command = findCommand(COMMANDS, words);
  if (!command) throw unknownCommand(words);
  const { args, values } = parseCommandLine(command, words);
  if ('examine' in command) return command.examine(terminal.env, values);
  const config = await readConfig(command, terminal.env);
  if ('run' in command) return command.run(config, args, values, terminal);
  const input = await command.readInput(args, values, terminal);
  const result = await runOperation(config, command, input, terminal.stderr);
  const shown = values.json === true ? result : (command.formatResult?.(result) ?? result);
  try {
    await command.checkResult?.(result);
  } catch (error) {
    throw error instanceof FailedCheckError ? new FailedCheckError(shown, error.message) : error;
  }
  return shown;
}

function formatResult(result: object | string): string {
  return typeof result === 'string' ? result : `${JSON.stringify(result)}\n`;
}

/** Reads the settings. If HOST cannot be resolved, reports that instead of the missing proxy. */
async function readConfig({ name }: Command, environment: Terminal['env']): Promise<Config> {
  try {
    return loadConfig(environment);
  } catch (error) {
    if (error instanceof ProxyRequiredError && name === 'serve') {
      const { resolveHost } = await import('./serve/listen.ts');
      await resolveHost(error.host);
    }
    throw error;
  }
}

/** Formats the help of the command that the words name, of the commands that begin with them, or of all commands. */
function formatHelp(words: readonly string[]): string {
  const command = findCommand(COMMANDS, words);
  if (command) return formatCommandHelp(command);
  const listed = COMMANDS.filter(({ name }) => words.length === 0 || name.startsWith(`${words.join(' ')} `));
  if (listed.length === 0) throw unknownCommand(words);
  return formatCommandList(listed);
}

function unknownCommand(words: readonly string[]): UsageError {
  return new UsageError(`Unknown command "${words.slice(0, 2).join(' ')}". See: almanac --help`);
}
