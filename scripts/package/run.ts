// Packs what an installation needs, as almanac-VERSION.tgz:
//
//   npm run package               writes to release/
//   npm run package -- FOLDER     writes to another folder

import path from 'node:path';
import { packInto } from './pack.ts';

console.log(packInto(path.resolve(process.argv[2] ?? 'release')));
