import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const ROOT: string = join(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noExplicitAny: the manifests have no type; a wrong path fails the test that reads it.
export type Manifest = any;

/** Returns the documents of a YAML file, with merge keys applied. */
export function readYaml(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(ROOT, file), 'utf8'), { merge: true }).map((document) => {
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw new Error(`${file}: ${problem.message}`);
    return document.toJS();
  });
}

export function readKubernetes(): Manifest[] {
  return globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).sort().flatMap(readYaml);
}

/** Returns the names and values of a file with lines NAME=VALUE; a comment can hold such a line as well. */
export function readEnvironmentFile(file: string): Record<string, string> {
  const lines = readFileSync(join(ROOT, file), 'utf8').matchAll(/^#? ?([A-Z][A-Z_0-9]*)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}
