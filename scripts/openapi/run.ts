// Keeps the OpenAPI document of a release in docs/openapi, where `npm test` compares every later one with it:
//
//   npm run openapi -- --keep       refuses if the document of this version is kept and differs

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { INTERFACE_VERSION } from '../../src/contract/index.ts';
import { presentDocument, RELEASED, releasedFile } from './documents.ts';

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
if (!values.keep) throw new Error('Usage: npm run openapi -- --keep');
const file = releasedFile(INTERFACE_VERSION);
const text = `${JSON.stringify(presentDocument())}\n`;
if (existsSync(file) && readFileSync(file, 'utf8') !== text) {
  console.error(
    `${file} is kept and differs. A released document does not change: raise INTERFACE_VERSION first (src/contract/openapi.ts).`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, text);
  console.log(`Kept ${INTERFACE_VERSION} in ${RELEASED}.`);
}
