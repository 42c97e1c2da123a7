import type { OpenApi } from './openapi.ts';
import type { ClientOperation } from './operations.ts';
import { capitalize, dataName, inputName, needsNoInput, writeComment } from './types.ts';

/** Writes the methods of the client, an interface for each namespace, with the descriptions of the operations. */
export function writeMethods(document: OpenApi, operations: readonly ClientOperation[]): string {
  const namespaces = [...new Set(operations.map(({ namespace }) => namespace))];
  const interfaces = namespaces.map((namespace) => {
    const methods = operations.filter((op) => op.namespace === namespace).map((op) => writeMethod(document, op));
    return `export interface ${interfaceName(namespace)} {\n${methods.join('\n')}}\n`;
  });
  const list = namespaces.map((namespace) => `  readonly ${namespace}: ${interfaceName(namespace)};\n`);
  return [
    "import type { Call, Pages } from '../call.ts';\nimport type { AlmanacFile } from '../file.ts';\nimport type { CallOptions } from '../options.ts';\nimport type { ForecastEvent, WatchOptions } from '../watch.ts';\nimport type * as types from './types.ts';\n",
    ...interfaces,
    `/** The methods of all operations, by namespace. */\nexport interface Methods {\n${list.join('')}}\n`,
  ].join('\n');
}

function interfaceName(namespace: string): string {
  return `${capitalize(namespace)}Methods`;
}

function writeMethod(document: OpenApi, op: ClientOperation): string {
  const comment = writeComment(
    `${op.summary}. ${op.description ?? ''} (${op.id})${op.deprecated ? ' @deprecated' : ''}`,
    '  ',
  );
  const optional = needsNoInput(document, op) ? '?' : '';
  const input = `types.${inputName(op)}`;
  const data = `types.${dataName(op)}`;
  if (op.stream)
    return `${comment}  ${op.name}(input: ${input}, options?: WatchOptions): AsyncIterable<ForecastEvent>;\n`;
  if (op.attachment === 'always')
    return `${comment}  ${op.name}(input${optional}: ${input}, options?: CallOptions): Call<AlmanacFile>;\n`;
  const json = op.items === null ? `Call<${data}>` : `Pages<${data}, ${data}['${op.items}'][number]>`;
  if (!op.attachment) return `${comment}  ${op.name}(input${optional}: ${input}, options?: CallOptions): ${json};\n`;
  // The default format comes second, because only its signature accepts an input without `format`.
  const other = op.defaultFormat === 'csv' ? 'json' : 'csv';
  const results: Readonly<Record<string, string>> = { csv: 'Call<AlmanacFile>', json };
  const fallback = op.defaultFormat ?? 'json';
  return [
    `${comment}  ${op.name}(input: ${input} & { format: '${other}' }, options?: CallOptions): ${results[other]};\n`,
    `  ${op.name}(input${optional}: ${input} & { format?: '${fallback}' | undefined }, options?: CallOptions): ${results[fallback]};\n`,
    `  ${op.name}(input: ${input}, options?: CallOptions): Call<${data} | AlmanacFile>;\n`,
  ].join('');
}
