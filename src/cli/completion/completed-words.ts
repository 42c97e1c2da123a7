import type { CommandDescription, CommandOption } from '../command.ts';

/** What a shell can complete, from the descriptions of the commands. */
export interface CompletedWords {
  /** The first words of all commands. */
  readonly first: readonly string[];
  /** The second words of commands of two words, by their first word. */
  readonly second: ReadonlyMap<string, readonly string[]>;
  readonly commands: readonly CompletedCommand[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Whether an argument can be a file. */
  readonly hasFile: boolean;
  readonly choices: readonly string[];
}

export interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  readonly help: string;
  readonly hasValue: boolean;
  readonly isFile: boolean;
  readonly choices: readonly string[];
}

export function listCompletedWords(commands: readonly CommandDescription[]): CompletedWords {
  const names = commands.map(({ name }) => name.split(' '));
  const groups = Map.groupBy(
    names.filter(({ length }) => length > 1),
    ([first = '']) => first,
  );
  return {
    first: [...new Set(names.map(([first = '']) => first))].sort(),
    second: new Map([...groups].map(([first, words]) => [first, words.map(([, second = '']) => second)])),
    commands: commands.map(({ name, summary, options, arguments: args }) => ({
      name,
      summary,
      options: Object.entries(options).map(([option, settings]) => describeOption(option, settings)),
      hasFile: args.some(({ isFile }) => isFile),
      choices: args.flatMap(({ choices = [] }) => choices),
    })),
  };
}

function describeOption(name: string, { type, format, help, choices = [] }: CommandOption): CompletedOption {
  return { name: `--${name}`, help, hasValue: type === 'string', isFile: format === 'path', choices };
}

/** Returns the options of all commands that take one of a list of words, or a file: the same wherever they take a value. */
export function listValueOptions({ commands }: CompletedWords): CompletedOption[] {
  const options = commands.flatMap((command) => command.options);
  const byName = new Map(
    options.filter(({ choices, isFile }) => choices.length > 0 || isFile).map((one) => [one.name, one]),
  );
  return [...byName.values()];
}
