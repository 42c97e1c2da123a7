import { cleanText, malformed } from '../../../platform/index.ts';
import type { RawSeries } from '../provider.ts';
import { DBNOMICS, type Fields, readLabelsOf } from './dbnomics-reply.ts';

/** The attributes that mark observations: SDMX, the ILO, Eurostat and others name them differently. */
const FLAG_ATTRIBUTE = /^(?:obsv?_(?:status|flag)|flags?)$/i;
/** The status of an observation without a mark. */
const NORMAL_STATUS = 'A';
const MAX_FLAG_LENGTH = 64;
const MAX_LABEL_LENGTH = 500;
const LEFT_OUT = 'Some flags of the provider are left out.';

/** The flags of a series. */
export interface ReadFlags {
  /** The flag of each observation, in their order; undefined for observations without one. */
  readonly flags: readonly (string | undefined)[];
  readonly labels: RawSeries['flagLabels'];
  readonly footnotes: readonly string[];
}

/**
 * Reads the flags of a series from its attributes, which are pairs of a name and a list with one value for each
 * observation. A value that all observations share is not in a list.
 */
export function readFlags(doc: Fields, dataset: Fields, count: number): ReadFlags {
  const none: ReadFlags = { flags: Array.from({ length: count }, () => undefined), labels: {}, footnotes: [] };
  const attributes = doc.observations_attributes ?? [];
  if (!Array.isArray(attributes)) throw malformed(DBNOMICS, 'attributes');
  for (const attribute of attributes) {
    const [name, values] = Array.isArray(attribute) ? attribute : [];
    if (typeof name !== 'string') throw malformed(DBNOMICS, 'attributes');
    if (!FLAG_ATTRIBUTE.test(name)) continue;
    const all: readonly unknown[] = Array.isArray(values) ? values : none.flags.map(() => values);
    if (all.length !== count) throw malformed(DBNOMICS, 'number of flags');
    const flags = all.map(readFlag);
    return {
      flags,
      labels: labelsOf(flags, readLabelsOf(dataset, 'attributes_values_labels', name)),
      footnotes: all.every(isFlag) ? [] : [LEFT_OUT],
    };
  }
  return none;
}

/** Returns whether a value is a flag or stands for none. The values of publishers are free texts. */
function isFlag(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.length <= MAX_FLAG_LENGTH);
}

function readFlag(value: unknown): string | undefined {
  const flag = isFlag(value) && typeof value === 'string' ? cleanText(value, MAX_FLAG_LENGTH) : '';
  return flag === '' || flag === NORMAL_STATUS ? undefined : flag;
}

/** Returns the labels of the flags that occur. A flag such as bu has the labels of b and u if it has none of its own. */
function labelsOf(flags: readonly (string | undefined)[], known: ReadonlyMap<string, string>): RawSeries['flagLabels'] {
  const labels = new Map<string, string>();
  for (const flag of new Set(flags)) {
    if (flag === undefined) continue;
    const parts = known.has(flag) ? [flag] : [...flag];
    const texts = parts.flatMap((part) => known.get(part) ?? []);
    if (texts.length === parts.length) labels.set(flag, cleanText(texts.join('; '), MAX_LABEL_LENGTH));
  }
  return Object.fromEntries(labels);
}
