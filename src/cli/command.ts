import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../platform/index.ts';

/** A command of `almanac`, as its help shows it and its run needs it. */
export interface Command {
  readonly words: string;
  /** What follows the words, for the help. */
  readonly usage: string;
  readonly help: string;
  readonly positionals: number;
  /** How many more may follow those. */
  readonly optionalPositionals?: number;
  readonly options: ParseArgsOptionsConfig;
  /** What it returns is printed as one JSON line. A command that runs until it is stopped returns nothing. */
  run(config: Config, positionals: string[], values: CommandValues): Promise<object | undefined>;
}

/** An option that may be given several times is a list. */
export type CommandValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The command line was typed wrongly: the message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { command: Command; positionals: string[]; values: CommandValues } {
  const command = commands.find(({ words }) => words === args.slice(0, words.split(' ').length).join(' '));
  if (!command) throw new UsageError(`Unknown command "${args.slice(0, 2).join(' ')}". See: almanac --help`);
  const usage = `Usage: almanac ${command.words} ${command.usage}`.trimEnd();
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(command.words.split(' ').length),
      options: command.options,
      allowPositionals: true,
      strict: true,
    });
    const { positionals: least, optionalPositionals: more = 0 } = command;
    if (positionals.length < least || positionals.length > least + more) throw new UsageError(usage);
    return { command, positionals, values: values as CommandValues };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node adds advice to its first sentence; ours is the usage.
    const [sentence = ''] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. ${usage}`);
  }
}
