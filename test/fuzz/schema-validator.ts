import { type OpenApiDocument, resolve, type Schema } from './openapi.ts';

/** Says nothing about values. */
const ANNOTATIONS = new Set(['id', 'title', 'description', 'examples', 'default', 'format', 'deprecated', 'readOnly']);

type Check = (schema: Schema, value: unknown, document: OpenApiDocument) => string | null;

/**
 * Where a value breaks a schema, or null when it does not. A keyword that is not known here throws: what the validator
 * cannot check it must not seem to have checked.
 */
export function breachOf(schema: Schema, value: unknown, document: OpenApiDocument, place = '$'): string | null {
  const resolved = resolve(schema, document);
  for (const keyword of Object.keys(resolved)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = CHECKS[keyword as keyof Schema];
    if (!check) throw new Error(`The validator does not know the keyword ${keyword}.`);
    const breach = check(resolved, value, document);
    if (breach !== null)
      return breach.startsWith('.') || breach.startsWith('[') ? place + breach : `${place} ${breach}`;
  }
  return null;
}

const CHECKS: { readonly [Keyword in keyof Schema]?: Check } = {
  type: ({ type }, value) =>
    expect(
      [type].flat().some((name) => isOfType(value, String(name))),
      `is not of type ${type}`,
    ),
  const: (schema, value) => expect(value === schema.const, `is not ${JSON.stringify(schema.const)}`),
  enum: (schema, value) => expect((schema.enum ?? []).includes(value), `is not in the list: ${JSON.stringify(value)}`),
  anyOf: ({ anyOf = [] }, value, document) =>
    expect(
      anyOf.some((option) => breachOf(option, value, document) === null),
      'fits none of anyOf',
    ),
  oneOf: ({ oneOf = [] }, value, document) =>
    expect(
      oneOf.filter((option) => breachOf(option, value, document) === null).length === 1,
      'does not fit just one of oneOf',
    ),
  allOf: ({ allOf = [] }, value, document) => first(allOf.map((part) => () => breachOf(part, value, document, ''))),
  properties: ({ properties = {} }, value, document) =>
    first(
      Object.entries(properties).map(([name, property]) => () => {
        return isObject(value) && Object.hasOwn(value, name)
          ? breachOf(property, value[name], document, `.${name}`)
          : null;
      }),
    ),
  required: ({ required = [] }, value) =>
    first(required.map((name) => () => (isObject(value) && !Object.hasOwn(value, name) ? `lacks ${name}` : null))),
  additionalProperties: ({ additionalProperties, properties = {} }, value, document) => {
    if (!isObject(value) || additionalProperties === true || additionalProperties === undefined) return null;
    const extra = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    if (additionalProperties === false) return expect(extra.length === 0, `has undocumented ${extra.join(', ')}`);
    return first(extra.map((name) => () => breachOf(additionalProperties, value[name], document, `.${name}`)));
  },
  propertyNames: ({ propertyNames = {} }, value, document) =>
    first(
      isObject(value)
        ? Object.keys(value).map((name) => () => breachOf(propertyNames, name, document, `.${name}`))
        : [],
    ),
  items: ({ items = {} }, value, document) =>
    first(Array.isArray(value) ? value.map((item, place) => () => breachOf(items, item, document, `[${place}]`)) : []),
  minItems: ({ minItems = 0 }, value) => expect(!Array.isArray(value) || value.length >= minItems, 'has too few items'),
  maxItems: ({ maxItems = 0 }, value) =>
    expect(!Array.isArray(value) || value.length <= maxItems, 'has too many items'),
  minLength: ({ minLength = 0 }, value) =>
    expect(typeof value !== 'string' || [...value].length >= minLength, 'is too short'),
  maxLength: ({ maxLength = 0 }, value) =>
    expect(typeof value !== 'string' || [...value].length <= maxLength, 'is too long'),
  pattern: ({ pattern = '' }, value) =>
    expect(typeof value !== 'string' || new RegExp(pattern, 'u').test(value), `does not match ${pattern}`),
  minimum: ({ minimum = 0 }, value) => expect(typeof value !== 'number' || value >= minimum, 'is too small'),
  maximum: ({ maximum = 0 }, value) => expect(typeof value !== 'number' || value <= maximum, 'is too large'),
  exclusiveMinimum: ({ exclusiveMinimum = 0 }, value) =>
    expect(typeof value !== 'number' || value > exclusiveMinimum, 'is too small'),
  exclusiveMaximum: ({ exclusiveMaximum = 0 }, value) =>
    expect(typeof value !== 'number' || value < exclusiveMaximum, 'is too large'),
};

function expect(holds: boolean, breach: string): string | null {
  return holds ? null : breach;
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const breach = check();
    if (breach !== null) return breach;
  }
  return null;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
