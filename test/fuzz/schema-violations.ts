import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Schema } from './openapi.ts';

const COMPONENTS = 'components';

/** Returns how a value violates a schema of the document, or null if it does not. */
export type FindViolation = (schema: Schema, value: unknown) => string | null;

/**
 * Creates a check against the schemas of a document. Throws on a keyword that the validator does not support,
 * so that nothing seems to be checked that is not.
 */
export function createSchemaCheck(document: OpenApiDocument): FindViolation {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    validateFormats: false,
    // Most of the time goes into compiling: each component is compiled once, without further optimization.
    inlineRefs: false,
    code: { optimize: false },
  });
  // zod writes the name of a component into it as "id", which JSON Schema does not have.
  ajv.removeKeyword('id');
  ajv.addKeyword('id');
  ajv.addSchema({ $id: COMPONENTS, $defs: withLocalReferences(document.components.schemas) });
  const compiled = new Map<Schema, ValidateFunction>();
  /** Many operations have equal schemas, such as those of their errors. */
  const byText = new Map<string, ValidateFunction>();
  const compile = (schema: Schema) => {
    const text = JSON.stringify(schema);
    const validate = byText.get(text) ?? ajv.compile(withLocalReferences(schema));
    byText.set(text, validate);
    return validate;
  };
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    if (validate(value)) return null;
    return (validate.errors ?? []).map(({ instancePath, message }) => `$${instancePath} ${message}`).join('; ');
  };
}

/** Points the references into the document's components at the schema of the components. */
function withLocalReferences<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', `${COMPONENTS}#/$defs/`));
}
