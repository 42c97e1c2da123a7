import { componentName, type OpenApi, type Parameter, resolveSchema, type Schema } from './openapi.ts';
import type { ClientOperation } from './operations.ts';

const MAX_LINE = 116;

/** Writes the types of all schemas with a name, and the input and the data of every operation. */
export function writeTypes(document: OpenApi, operations: readonly ClientOperation[]): string {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => declare(name, schema));
  const inputs = operations.map((op) => declareInput(document, op));
  const data = operations
    .filter((op) => op.data !== null && componentName(op.data) === null)
    .map((op) => declare(dataName(op), op.data as Schema));
  const names = [...schemas, ...inputs, ...data].map((text) => /(?:interface|type) (\w+)/.exec(text)?.[1]);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new Error(`Two types would be called ${repeated}.`);
  const lists = [
    `/** The input of each operation by its id. */\nexport interface Inputs {\n${operations.map((op) => `  ${op.id}: ${inputName(op)};\n`).join('')}}\n`,
    `/** The data that each operation returns, by its id. */\nexport interface Data {\n${operations.map((op) => `  ${op.id}: ${replyType(op)};\n`).join('')}}\n`,
  ];
  return [...IMPORTS, ...schemas, ...inputs, ...data, ...lists].join('\n');
}

const IMPORTS = [
  "import type { AlmanacFile, CsvContent } from '../file.ts';\nimport type { ForecastEvent } from '../watch.ts';\n",
  '/** The input of an operation that needs none. */\nexport type NoInput = Record<string, never>;\n',
];

export function inputName(op: ClientOperation): string {
  return `${capitalize(op.id)}Input`;
}

/** Returns the name of the JSON data of an operation. */
export function dataName(op: ClientOperation): string {
  return (op.data && componentName(op.data)) ?? `${capitalize(op.id)}Data`;
}

function replyType(op: ClientOperation): string {
  if (op.stream) return 'ForecastEvent';
  if (op.attachment === 'always') return 'AlmanacFile';
  return op.attachment ? `${dataName(op)} | AlmanacFile` : dataName(op);
}

/** Returns whether an operation can be called without input. */
export function needsNoInput(document: OpenApi, op: ClientOperation): boolean {
  const body = op.body === null ? null : resolveSchema(document, op.body);
  const isBodyOptional = body === null || (body.properties !== undefined && (body.required ?? []).length === 0);
  return op.upload === null && isBodyOptional && ![...op.params, ...op.query].some(({ required }) => required);
}

/** The input of an operation is one flat object: the parameters of the path and the query, and the fields of the body. */
function declareInput(document: OpenApi, op: ClientOperation): string {
  const body = op.body === null ? null : resolveSchema(document, op.body);
  const parameters = toObject([...op.params, ...op.query]);
  const clash = Object.keys(parameters.properties ?? {}).find((name) => body?.properties?.[name] !== undefined);
  if (clash !== undefined) throw new Error(`${op.id}: ${clash} is both a parameter and a field of the body.`);
  const name = inputName(op);
  const comment = `/** The input of ${op.id}. */\n`;
  if (body !== null && body.properties === undefined) {
    const shared = Object.keys(parameters.properties ?? {}).length === 0 ? '' : `${typeOf(parameters, '')} & `;
    return `${comment}export type ${name} = ${shared}(${typeOf(op.body as Schema, '')});\n`;
  }
  const content: Schema = {
    type: 'object',
    properties: { ...parameters.properties, ...body?.properties },
    required: [...(parameters.required ?? []), ...(body?.required ?? [])],
  };
  const upload = op.upload === null ? '' : '  /** The content of the file. */\n  content: CsvContent;\n';
  if (Object.keys(content.properties ?? {}).length === 0 && upload === '') return `export type ${name} = NoInput;\n`;
  return `${comment}export interface ${name} {\n${fieldsOf(content, '  ')}${upload}}\n`;
}

function toObject(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function declare(name: string, schema: Schema): string {
  const comment = schema.description === undefined ? '' : writeComment(schema.description, '');
  if (isPlainObject(schema)) return `${comment}export interface ${name} {\n${fieldsOf(schema, '  ')}}\n`;
  return `${comment}export type ${name} = ${typeOf(schema, '')};\n`;
}

function isPlainObject(schema: Schema): boolean {
  return schema.type === 'object' && schema.properties !== undefined && !schema.anyOf && !schema.oneOf;
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined ? '' : writeComment(schema.description, indent);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(schema, indent);
    // `undefined` is allowed, because compilers can be set to distinguish it from an absent field.
    const isUnknown = type === 'unknown';
    return required.includes(name)
      ? `${comment}${indent}${key}: ${type};\n`
      : `${comment}${indent}${key}?: ${type}${isUnknown ? '' : ' | undefined'};\n`;
  });
  const isOpen = typeof additionalProperties === 'object' || additionalProperties === true;
  return fields.join('') + (isOpen ? `${indent}[field: string]: unknown;\n` : '');
}

/** Returns the TypeScript type of a schema. */
function typeOf(schema: Schema, indent: string): string {
  const name = componentName(schema);
  if (name !== null) return name;
  if (schema.allOf !== undefined) throw new Error('allOf has no plain type here.');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  return simpleType(schema, indent);
}

function simpleType(schema: Schema, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array': {
      const item = schema.items === undefined ? 'unknown' : typeOf(schema.items, indent);
      return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.keys(properties).length > 0) {
    return `{\n${fieldsOf(schema, `${indent}  `)}${indent}}`;
  }
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties, indent)}>`;
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
}

/** Writes a doc comment, on one line if it fits. */
export function writeComment(text: string, indent: string): string {
  const safe = text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
  if (indent.length + safe.length + 7 <= MAX_LINE) return `${indent}/** ${safe} */\n`;
  const lines = [''];
  for (const word of safe.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && indent.length + line.length + word.length + 4 > MAX_LINE) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
