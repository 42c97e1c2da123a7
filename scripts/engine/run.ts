// Keeps the engine of each version as one file, so that forecasts of earlier versions can be reproduced:
//
//   npm run engine                  records the engine of the sources in engines/; commit the files with the version
//   npm run engine -- --check       compares it with the sources, and every recorded file with its hash

import { parseArgs } from 'node:util';
import { ENGINES_FOLDER } from '../../src/compute/engines/engine-bundles.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { checkEngines, recordEngine } from './record.ts';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
try {
  if (options.check) {
    const versions = (await checkEngines(ENGINES_FOLDER)).map(({ version }) => version);
    console.log(`engine ${ENGINE_VERSION} is recorded as it is; intact: ${versions.join(', ')}`);
  } else {
    const isNew = await recordEngine(ENGINES_FOLDER);
    console.log(`engine ${ENGINE_VERSION} ${isNew ? 'is now recorded' : 'was recorded before, with the same bytes'}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
