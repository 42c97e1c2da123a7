import fc, { type Arbitrary } from 'fast-check';
import { type OpenApiDocument, resolve, type Schema } from './openapi.ts';

/** The longest generated list or text where the schema sets no limit. */
const UNBOUNDED = 20;

/**
 * Generates values that match a schema, including its limits.
 *
 * @param known values to try for a field of this name, such as the address of an account
 */
export function valuesOf(
  schema: Schema,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<unknown> {
  const resolved = resolve(schema, document);
  if ('const' in resolved) return fc.constant(resolved.const);
  if (resolved.enum) return fc.constantFrom(...resolved.enum);
  const options = resolved.anyOf ?? resolved.oneOf;
  if (options) return fc.oneof(...options.map((option) => valuesOf(option, document, known)));
  const types = [resolved.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, resolved, document, known)));
}

function valuesOfType(
  type: string,
  schema: Schema,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return texts(schema);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = UNBOUNDED } = schema;
      const limits = { minLength: minItems, maxLength: maxItems };
      return fc.oneof(
        fc.array(valuesOf(items, document, known), limits),
        fc.uniqueArray(valuesOf(items, document, known), limits),
      );
    }
    case 'object':
      return objects(schema, document, known);
    default:
      throw new Error(`No generator exists for the type ${type}.`);
  }
}

function objects(
  schema: Schema,
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly string[]>>,
): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const values = valuesOf(property, document, known);
    const knownValues = known[name];
    return [name, knownValues ? fc.oneof(values, fc.constantFrom(...knownValues)) : values] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
}

function texts(schema: Schema): Arbitrary<string> {
  if (schema.format === 'date-time') return instants();
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const { minLength = 0, maxLength = UNBOUNDED } = schema;
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    fc.string({ unit: 'binary', minLength, maxLength }),
    fc.constantFrom(
      'a'.repeat(maxLength),
      '💥'.repeat(Math.max(1, Math.floor(maxLength / 2))),
      ' '.repeat(Math.max(1, minLength)),
    ),
  );
}

function instants(): Arbitrary<string> {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  const offsets = fc.constantFrom('Z', '+00:00', '-23:59', '+23:59', '+05:30');
  const local = fc
    .oneof(fc.date(years), fc.date({ ...years, min: new Date() }))
    .map((date) => date.toISOString().slice(0, -1));
  return fc.tuple(local, offsets).map(([text, offset]) => text + offset);
}
