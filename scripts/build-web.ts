// Builds web/dist, which is committed, so that the service needs no build:
//
//   npm run build:web

import { join } from 'node:path';
import { buildWeb } from './web/build.ts';

await buildWeb(join(import.meta.dirname, '../web/dist'));
