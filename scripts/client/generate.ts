import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeMethods } from './methods.ts';
import { type OpenApi, readOpenApi } from './openapi.ts';
import { listOperations, writeOperations } from './operations.ts';
import { writeTypes } from './types.ts';

export const GENERATED_FOLDER: string = join(import.meta.dirname, '../../client/src/generated');

const HEADER = '// Written by `npm run build:client` from the OpenAPI document. Do not edit.\n\n';

/** Returns the generated sources of the client by their file names. */
export function generateSources(document: OpenApi = readOpenApi()): Readonly<Record<string, string>> {
  const operations = listOperations(document);
  return {
    'operations.ts': HEADER + writeOperations(operations),
    'types.ts': HEADER + writeTypes(document, operations),
    'methods.ts': HEADER + writeMethods(document, operations),
  };
}

/** Writes the generated sources of the client to their folder. */
export async function writeGeneratedSources(): Promise<void> {
  await mkdir(GENERATED_FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(generateSources())) await writeFile(join(GENERATED_FOLDER, name), text);
}
