// Writes the generated sources of the typed client, client/src/generated, which are committed, and builds client/dist,
// which is not:
//
//   npm run build:client

import { buildClient } from './client/build.ts';
import { writeGeneratedSources } from './client/generate.ts';

await writeGeneratedSources();
await buildClient();
