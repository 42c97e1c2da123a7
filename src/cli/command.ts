import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { Foundation } from '../compose/index.ts';
import type { Config } from '../platform/index.ts';

/** The environment and the streams of the process that runs a command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface CommandArgument {
  /** The name in the usage line, in capitals. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** Whether it can be given several times. Only the last argument can. */
  readonly isRepeatable?: boolean;
  /** Whether it can be the path of a file, for the completion of shells. */
  readonly isFile?: boolean;
  /** The values among which the argument chooses, for the completion of shells. */
  readonly choices?: readonly string[];
}

export interface CommandOption {
  /** Whether the option takes a value. */
  readonly type: 'string' | 'boolean';
  /** The placeholder of the value in the help, such as `DATE`. */
  readonly value?: string;
  /** The type of the value in the help. Default: `text`. */
  readonly format?: string;
  readonly isRequired?: boolean;
  /** Whether the option can be repeated. Its value is then a list. */
  readonly isRepeatable?: boolean;
  readonly help: string;
  /** The default in the help. */
  readonly default?: string;
  /** The values among which the option chooses, for the help and the completion of shells. */
  readonly choices?: readonly string[];
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The parsed values of the options, by name. */
export type CommandValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The description of an `almanac` command, from which its help is written. */
export interface CommandDescription {
  /** One or two words, such as `user create`. */
  readonly name: string;
  readonly arguments: readonly CommandArgument[];
  readonly options: CommandOptions;
  /** A description in one sentence. */
  readonly summary: string;
  /** A command line that works, without the leading `almanac`. */
  readonly example: string;
}

/** A command that runs in the process of the command line and needs no database. */
export interface LocalCommand extends CommandDescription {
  /**
   * Returns the result. An object is printed as one line of JSON and a text as it is. Undefined if the command runs until
   * it is stopped.
   */
  run(
    config: Config,
    args: readonly string[],
    values: CommandValues,
    terminal: Terminal,
  ): Promise<object | string | undefined>;
}

/**
 * A command that uses the database. If a service is running with the embedded database, that service executes the
 * command; otherwise the process of the command line does.
 */
export interface AdminCommand<Input extends z.ZodObject = z.ZodObject> extends CommandDescription {
  readonly input: Input;
  /** Whether it needs a database with the tables of this build, and neither creates nor migrates one. */
  readonly changesNothing?: boolean;
  /** How long the command waits for the reply of a running service. Default: half a minute. */
  readonly replyTimeoutMs?: number;
  /** Reads the input from the command line. The process that executes the command checks it against its schema. */
  readInput(args: readonly string[], values: CommandValues, terminal: Terminal): object | Promise<object>;
  execute(foundation: Foundation, input: z.output<Input>): Promise<object>;
  /**
   * Formats the result for people. Without it, or with the option `json`, the result is printed as one line of JSON.
   */
  formatResult?(result: object): string;
  /** Throws a `FailedCheckError` if the result means that the command failed. */
  checkResult?(result: object): Promise<void>;
}

/** A command that examines the settings, so it gets the environment and not what was read from it. */
export interface SetupCommand extends CommandDescription {
  examine(environment: Terminal['env'], values: CommandValues): Promise<object | string>;
}

export type Command = LocalCommand | SetupCommand | AdminCommand;

/** The option of commands with `formatResult`. */
export const JSON_OPTION = {
  json: { type: 'boolean', help: 'print one line of JSON' },
} as const satisfies CommandOptions;

/** Declares a command. The type of the input of `execute` is inferred from its schema. */
export function adminCommand<Input extends z.ZodObject>(command: AdminCommand<Input>): AdminCommand<Input> {
  return command;
}

/** The error for a malformed command line. Its message shows the correct usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The error for a check that found a problem. The command fails, but its result is printed. */
export class FailedCheckError extends Error {
  override readonly name = 'FailedCheckError';
  /** An object is printed as one line of JSON. */
  readonly result: object | string;

  constructor(result: object | string, message: string) {
    super(message);
    this.result = result;
  }
}

/** Returns the command that the first words name, or undefined. */
export function findCommand<Found extends CommandDescription>(
  commands: readonly Found[],
  words: readonly string[],
): Found | undefined {
  return commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
}

/** Parses the words after the name of a command. Throws a `UsageError` that names the mistake. */
export function parseCommandLine(
  command: CommandDescription,
  words: readonly string[],
): { args: string[]; values: CommandValues } {
  const usage = formatUsage(command);
  const required = command.arguments.filter(({ isOptional }) => !isOptional).length;
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(command.name.split(' ').length),
      options: Object.fromEntries(
        Object.entries(command.options).map(([name, { type, isRepeatable = false }]) => [
          name,
          { type, multiple: isRepeatable },
        ]),
      ),
      allowPositionals: true,
      strict: true,
    });
    const isMissingOption = Object.entries(command.options).some(
      ([name, { isRequired }]) => isRequired && values[name] === undefined,
    );
    const isTooMany = positionals.length > command.arguments.length && !command.arguments.at(-1)?.isRepeatable;
    if (positionals.length < required || isTooMany || isMissingOption) {
      throw new UsageError(usage);
    }
    return { args: positionals, values: values as CommandValues };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Only the first sentence of Node's message is kept; the usage line replaces the advice that follows.
    const [sentence = ''] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. ${usage}`);
  }
}

/** @example 'Usage: almanac key revoke KEY_ID' */
export function formatUsage({ name, arguments: args, options }: CommandDescription): string {
  const positionals = args.map(({ name: argument, isOptional, isRepeatable }) => {
    const shown = isRepeatable ? `${argument}…` : argument;
    return isOptional ? `[${shown}]` : shown;
  });
  const flags = Object.entries(options).map(([option, settings]) =>
    settings.isRequired ? formatOption(option, settings) : `[${formatOption(option, settings)}]`,
  );
  return ['Usage: almanac', name, ...positionals, ...flags].join(' ');
}

/** @example '--session DATE' */
export function formatOption(name: string, { type, value = 'VALUE' }: CommandOption): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${value}`;
}
