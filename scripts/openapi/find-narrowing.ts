/** The keywords of JSON Schema that the service uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly [limit: string]: unknown;
}

interface Place {
  readonly document: { readonly components: { readonly schemas: { readonly [name: string]: Schema } } };
  readonly schema: Schema;
}

interface Comparison {
  /** What must accept every value of the other. */
  readonly general: Place;
  readonly special: Place;
  /**
   * `request`: the general schema is the present one, because clients go on sending what was accepted. `response`: it is the
   * released one, because clients go on expecting what was promised. They ignore fields and named values that are new.
   */
  readonly direction: 'request' | 'response';
  /** Where the schemas are, for people. */
  readonly at: string;
}

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns one line for each way in which the special schema has values that the general one does not have. */
export function findNarrowing(comparison: Comparison, seen: ReadonlySet<string> = new Set()): string[] {
  const pair = `${comparison.general.schema.$ref} ${comparison.special.schema.$ref}`;
  // Schemas can contain themselves.
  if (comparison.general.schema.$ref !== undefined && seen.has(pair)) return [];
  const within = new Set([...seen, pair]);
  const general = resolve(comparison.general);
  const special = resolve(comparison.special);
  const compare = (g: Schema, s: Schema, at: string) =>
    findNarrowing(
      {
        ...comparison,
        general: { ...comparison.general, schema: g },
        special: { ...comparison.special, schema: s },
        at,
      },
      within,
    );

  const alternatives = special.anyOf ?? special.oneOf;
  if (alternatives !== undefined) return alternatives.flatMap((one) => compare(general, one, comparison.at));
  const accepted = general.anyOf ?? general.oneOf;
  if (accepted !== undefined) {
    const attempts = accepted.map((one) => compare(one, special, comparison.at));
    const isOfType = accepted.map(
      (one) => findTypes(resolve({ ...comparison.general, schema: one }), special, '').length === 0,
    );
    const closest = attempts.some((_, i) => isOfType[i]) ? attempts.filter((_, i) => isOfType[i]) : attempts;
    // The alternative with the fewest differences is the one that was meant.
    return closest.reduce((least, one) => (one.length < least.length ? one : least));
  }
  const { direction, at } = comparison;
  return [
    ...findTypes(general, special, at),
    ...findValues(general, special, direction, at),
    ...(direction === 'request' ? [...findLimits(general, special, at), ...findDefault(general, special, at)] : []),
    ...findFields(general, special, direction, at, compare),
    ...(general.items === undefined ? [] : compare(general.items, special.items ?? {}, `each item of ${at}`)),
  ];
}

type Compare = (general: Schema, special: Schema, at: string) => string[];

function resolve({ document, schema }: Place): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`The document has no schema ${name}.`);
  return resolve({ document, schema: target });
}

function findTypes(general: Schema, special: Schema, at: string): string[] {
  const [accepted, given] = [typesOf(general), typesOf(special)];
  if (accepted === undefined) return [];
  const isAccepted = (type: string) => accepted.includes(type) || (type === 'integer' && accepted.includes('number'));
  if (given?.every(isAccepted)) return [];
  return [`${at} can be of type ${given?.join(' or ') ?? 'any'}, not only ${accepted.join(' or ')}`];
}

/** Returns undefined if every type is possible. */
function typesOf(schema: Schema): readonly string[] | undefined {
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  return valuesOf(schema)?.map((value) => (value === null ? 'null' : typeof value));
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? ('const' in schema ? [schema.const] : undefined);
}

function findValues(general: Schema, special: Schema, direction: Comparison['direction'], at: string): string[] {
  const format =
    general.format === undefined || general.format === special.format || valuesOf(special) !== undefined
      ? []
      : [`${at} has the format ${special.format ?? 'any'}, not ${general.format}`];
  const accepted = valuesOf(general);
  if (accepted === undefined) return format;
  const given = valuesOf(special);
  if (given === undefined) return [`${at} can have any value, not only ${accepted.join(', ')}`];
  const other = given.filter((value) => !accepted.includes(value));
  // A field that tells alternatives apart has one value; another one is another alternative.
  const ignores = direction === 'response' && accepted.length > 1 && given.some((value) => accepted.includes(value));
  return ignores || other.length === 0 ? format : [...format, `${at} can be ${other.join(', ')}`];
}

function findLimits(general: Schema, special: Schema, at: string): string[] {
  const narrower = (keyword: string, isNarrower: (now: number, before: number) => boolean): string[] => {
    const now = general[keyword] as number | undefined;
    const before = special[keyword] as number | undefined;
    if (now === undefined || (before !== undefined && !isNarrower(now, before))) return [];
    return [`${at}: ${keyword} is ${now}, before ${before ?? 'not limited'}`];
  };
  // Values of a list are compared as they are.
  if (valuesOf(special) !== undefined) return [];
  return [
    ...LOWER_LIMITS.flatMap((keyword) => narrower(keyword, (now, before) => now > before)),
    ...UPPER_LIMITS.flatMap((keyword) => narrower(keyword, (now, before) => now < before)),
    ...(general.pattern === undefined || general.pattern === special.pattern
      ? []
      : [`${at}: the pattern is ${general.pattern}, before ${special.pattern ?? 'none'}`]),
  ];
}

/** A request without the field would mean something else. */
function findDefault(general: Schema, special: Schema, at: string): string[] {
  const [now, before] = [JSON.stringify(general.default), JSON.stringify(special.default)];
  return now === before ? [] : [`${at}: the default is ${now ?? 'none'}, before ${before ?? 'none'}`];
}

function findFields(
  general: Schema,
  special: Schema,
  direction: Comparison['direction'],
  at: string,
  compare: Compare,
): string[] {
  const [known, given] = [general.properties ?? {}, special.properties ?? {}];
  const required = (general.required ?? []).filter((name) => !(special.required ?? []).includes(name));
  // The released schema: the special one of a request, the general one of a response.
  const [before, now] = direction === 'request' ? [given, known] : [known, given];
  const gone = Object.keys(before).filter((name) => !(name in now));
  const rest = general.additionalProperties;
  const others = special.additionalProperties;
  return [
    ...gone.map((name) => `${at}: ${name} is gone`),
    ...required
      .filter((name) => !gone.includes(name))
      .map((name) => `${at}: ${name} is ${direction === 'request' ? 'required' : 'not always there'}`),
    ...Object.entries(given).flatMap(([name, field]) => {
      const counterpart = known[name];
      return counterpart === undefined ? [] : compare(counterpart, field, `${name} of ${at}`);
    }),
    ...(typeof rest === 'object' && typeof others === 'object' ? compare(rest, others, `each field of ${at}`) : []),
    ...(rest === false && others !== false && typesOf(special)?.includes('object') === true && direction === 'request'
      ? [`${at} accepts only known fields`]
      : []),
  ];
}
