/** A setting: the function that reads its text, its default value, and its description for operators. */
export interface Setting<Value> {
  readonly description: string;
  /** The default that the docs show; its value is `fallback`. */
  readonly defaultText: string;
  readonly fallback: Value;
  /** The value of a variable that is set but empty. Omitted if such a variable counts as not set. */
  readonly whenEmpty?: Value;
  /** Returns the value of the text. Throws an `Error` whose message completes "NAME must …". */
  readonly read: (text: string) => Value;
  /** Whether the value is secret or can contain a secret. Such a setting can be in the file that `NAME_FILE` names. */
  readonly isSecret?: true;
}

/** Marks a setting as secret. */
export function secret<Value>(plain: Setting<Value>): Setting<Value> {
  return { ...plain, isSecret: true };
}

/** Defines a setting of any kind. The functions below define common kinds. */
export function setting<Value>(spec: Omit<Setting<Value>, 'defaultText'> & { defaultText?: string }): Setting<Value> {
  return { ...spec, defaultText: spec.defaultText ?? String(spec.fallback) };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

export function integer(description: string, fallback: number, range: Range): Setting<number> {
  return setting({ description, fallback, read: (text) => readInteger(text, range) });
}

/** Defines an integer without a default value. */
export function optionalInteger(description: string, defaultText: string, range: Range): Setting<number | undefined> {
  return setting<number | undefined>({
    description,
    fallback: undefined,
    defaultText,
    read: (text) => readInteger(text, range),
  });
}

function readInteger(text: string, { min, max }: Range): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) throw new Error(`be a whole number from ${min} to ${max}`);
  return value;
}

const FOREVER = 'forever';

/** Defines a number of days after which something is removed; null if it never is. The reason explains the minimum. */
export function daysKept(
  description: string,
  fallback: number,
  { min, reason }: { readonly min: number; readonly reason?: string },
): Setting<number | null> {
  const max = 36_500;
  return setting<number | null>({
    description: `${description} At least ${min}, or ${FOREVER}.`,
    fallback,
    read(text) {
      if (text === FOREVER) return null;
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= min && value <= max) return value;
      const because = reason !== undefined && value < min ? `, because ${reason}` : '';
      throw new Error(`be ${FOREVER} or a whole number from ${min} to ${max}${because}`);
    },
  });
}

export function oneOf<const Choice extends string>(
  description: string,
  fallback: Choice,
  choices: readonly Choice[],
): Setting<Choice> {
  return setting({
    description: `${description} One of: ${choices.join(', ')}.`,
    fallback,
    read: (text) => readChoice(text, choices),
  });
}

/** Defines a choice without a default value. */
export function optionalOneOf<const Choice extends string>(
  description: string,
  defaultText: string,
  choices: readonly Choice[],
): Setting<Choice | undefined> {
  return setting<Choice | undefined>({
    description: `${description} One of: ${choices.join(', ')}.`,
    fallback: undefined,
    defaultText,
    read: (text) => readChoice(text, choices),
  });
}

function readChoice<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new Error(`be one of ${choices.join(', ')}`);
  return choice;
}

/** Defines a comma-separated list. `check` throws like `Setting.read`. */
export function list(description: string, check: (item: string) => void): Setting<readonly string[]> {
  return setting<readonly string[]>({
    description: `${description} Comma-separated.`,
    fallback: [],
    defaultText: 'none',
    read(text) {
      const items = text.split(',').map((item) => item.trim());
      if (items.includes('')) throw new Error('be a comma-separated list without empty items');
      items.forEach(check);
      return items;
    },
  });
}

export function text(description: string, fallback: string, check?: (text: string) => void): Setting<string> {
  return setting({
    description,
    fallback,
    read(text) {
      check?.(text);
      return text;
    },
  });
}

/** Defines a string without a default value. */
export function optionalText(
  description: string,
  defaultText: string,
  check: (text: string) => void,
): Setting<string | undefined> {
  return setting<string | undefined>({
    description,
    fallback: undefined,
    defaultText,
    read(text) {
      check(text);
      return text;
    },
  });
}
