// Keeps the OpenAPI document of a release in docs/openapi, where `npm test` compares every later one with it:
//
//   npm run openapi -- --keep             refuses if the document of this version is kept and differs
//   npm run openapi -- --keep --replace   writes it again, as long as no release has this version of the interface

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { INTERFACE_VERSION } from '../../src/contract/index.ts';
import { isInterfaceReleased } from '../release/is-released.ts';
import { presentDocument, RELEASED, releasedFile } from './documents.ts';

const isFalse = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { keep: isFalse, replace: isFalse } });
if (!values.keep) throw new Error('Usage: npm run openapi -- --keep [--replace]');
const file = releasedFile(INTERFACE_VERSION);
const text = `${JSON.stringify(presentDocument())}\n`;
const mayReplace = values.replace && !isInterfaceReleased(INTERFACE_VERSION);
if (existsSync(file) && readFileSync(file, 'utf8') !== text && !mayReplace) {
  console.error(
    `${file} is kept and differs. A released document does not change: raise INTERFACE_VERSION first (src/contract/openapi.ts). Before the release, add --replace.`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, text);
  console.log(`Kept ${INTERFACE_VERSION} in ${RELEASED}.`);
}
