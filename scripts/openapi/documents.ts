import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildOpenApi } from '../../src/contract/index.ts';
import type { OpenApiDocument } from './find-breaking-changes.ts';

export const RELEASED = path.join(import.meta.dirname, '../../docs/openapi');

export function releasedFile(version: string): string {
  return path.join(RELEASED, `${version}.json`);
}

/** Returns the present document without its examples, which do not change what is accepted. */
export function presentDocument(): OpenApiDocument {
  return JSON.parse(
    JSON.stringify(buildOpenApi('https://almanac.example'), (key, value) => (key === 'example' ? undefined : value)),
  );
}

/** Returns the documents of releases with a major version, by version. */
export function releasedDocuments(major: string): Map<string, OpenApiDocument> {
  const versions = readdirSync(RELEASED)
    .filter((name) => name.endsWith('.json') && name.split('.')[0] === major)
    .map((name) => path.basename(name, '.json'));
  return new Map(versions.map((version) => [version, JSON.parse(readFileSync(releasedFile(version), 'utf8'))]));
}
