// Run by the launcher after it has installed the packages.

import { createPgliteTemplate } from '../src/platform/database/pglite-files.ts';

await createPgliteTemplate();
