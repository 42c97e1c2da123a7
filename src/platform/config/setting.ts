/** One setting: how its text is read, what it is when absent, and what a reader of the docs should know. */
export interface Setting<Value> {
  readonly description: string;
  /** Shown in the docs; the value itself comes from `fallback`. */
  readonly defaultText: string;
  readonly fallback: Value;
  /** Reads the text, or throws an `Error` whose message completes "NAME must …". */
  readonly read: (text: string) => Value;
}

/** Any setting: the others below are common forms of it. */
export function setting<Value>(spec: Omit<Setting<Value>, 'defaultText'> & { defaultText?: string }): Setting<Value> {
  return { ...spec, defaultText: spec.defaultText ?? String(spec.fallback) };
}

export function integer(description: string, fallback: number, range: { min: number; max: number }): Setting<number> {
  return setting({
    description,
    fallback,
    read(text) {
      const value = Number(text);
      if (!/^\d+$/.test(text) || value < range.min || value > range.max) {
        throw new Error(`be a whole number from ${range.min} to ${range.max}`);
      }
      return value;
    },
  });
}

export function oneOf<const Word extends string>(
  description: string,
  fallback: Word,
  words: readonly Word[],
): Setting<Word> {
  return setting({
    description: `${description} One of: ${words.join(', ')}.`,
    fallback,
    read(text) {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined) throw new Error(`be one of ${words.join(', ')}`);
      return word;
    },
  });
}

/** A comma-separated list; `check` throws as `read` does. */
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

export function words(description: string, fallback: string, check?: (text: string) => void): Setting<string> {
  return setting({
    description,
    fallback,
    read(text) {
      check?.(text);
      return text;
    },
  });
}

/** A value that has no default: absent means that the feature is off or derived from others. */
export function optional(
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
