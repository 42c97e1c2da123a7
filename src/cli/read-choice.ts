import { type CommandValues, UsageError } from './command.ts';

/** Reads an option with a list of values. Throws a `UsageError` for another value. */
export function readChoice<Choice extends string>(
  option: string,
  values: CommandValues,
  choices: readonly Choice[],
): Choice | null {
  const given = values[option];
  if (given === undefined) return null;
  const found = choices.find((choice) => choice === given);
  if (found === undefined)
    throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not ${JSON.stringify(given)}.`);
  return found;
}
