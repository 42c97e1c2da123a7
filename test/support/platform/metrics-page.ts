/** A family of the Prometheus text format. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricsPage {
  readonly families: readonly Family[];
  /** Returns the value of one sample, or undefined. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  /** Returns the labels of all samples with a name. */
  labelsOf(name: string): Readonly<Record<string, string>>[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/** Parses the page strictly by its specification and throws at the first invalid line. */
export function readMetricsPage(text: string): MetricsPage {
  if (!text.endsWith('\n')) throw new Error('The last line has no line break.');
  const families: (Family & { samples: Sample[] })[] = [];
  const seen = new Set<string>();
  let helped: string | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const help = HELP.exec(line)?.[1];
    const [, typed, type = ''] = TYPE.exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (typed !== undefined) {
      if (helped !== typed) throw new Error(`${typed} has a type without a help line before it.`);
      if (families.some(({ name }) => name === typed)) throw new Error(`${typed} appears twice.`);
      families.push({ name: typed, type, samples: [] });
    } else {
      const sample = readSample(line);
      const family = families.at(-1);
      if (!family || !belongs(sample, family)) throw new Error(`The line does not belong to its family: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (seen.has(key)) throw new Error(`The sample appears twice: ${line}`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  for (const family of families) if (family.type === 'histogram') checkHistogram(family);
  const samples = families.flatMap((family) => family.samples);
  return {
    families,
    value: (name, labels = {}) =>
      samples.find((sample) => sample.name === name && isSame(sample.labels, labels))?.value,
    labelsOf: (name) => samples.filter((sample) => sample.name === name).map(({ labels }) => labels),
  };
}

function readSample(line: string): Sample {
  const [, name = '', inside = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`Invalid line: ${line}`);
  const labels: Record<string, string> = {};
  let rest = inside;
  while (rest !== '') {
    const [whole = '', label = '', text = ''] = LABEL.exec(rest) ?? [];
    if (whole === '' || label in labels) throw new Error(`Invalid labels: ${line}`);
    labels[label] = text.replace(/\\(["\\n])/g, (_, letter) => (letter === 'n' ? '\n' : letter));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: readNumber(value) };
}

function readNumber(text: string): number {
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Error(`Invalid number: ${text}`);
  return Number(text);
}

function belongs({ name, labels }: Sample, family: Family): boolean {
  if (family.type !== 'histogram') return name === family.name;
  if (name === `${family.name}_bucket`) return 'le' in labels;
  return name === `${family.name}_sum` || name === `${family.name}_count`;
}

/** Checks that each bucket includes those before it and the last one includes all. */
function checkHistogram({ name, samples }: Family): void {
  const keyOf = ({ le, ...others }: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(others).sort());
  for (const [key, buckets] of Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    ({ labels }) => keyOf(labels),
  )) {
    const counts = buckets.map(({ value }) => value);
    const bounds = buckets.map(({ labels }) => readNumber(labels.le ?? ''));
    const total = samples.find((sample) => sample.name === `${name}_count` && keyOf(sample.labels) === key)?.value;
    const rises = (list: number[]) => list.every((value, index) => index === 0 || value >= (list[index - 1] as number));
    if (!rises(counts) || !rises(bounds) || bounds.at(-1) !== Infinity || counts.at(-1) !== total) {
      throw new Error(`The buckets of ${name} are not cumulative.`);
    }
  }
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
