import type { DomainMigrations } from '../../platform/index.ts';
import * as workspaces from './0001-workspaces.ts';
import * as csvFiles from './0002-csv-files.ts';
import * as invitations from './0003-invitations.ts';
import * as consent from './0004-consent.ts';
import * as storedFiles from './0005-stored-files.ts';
import * as skippedLines from './0006-skipped-lines.ts';
import * as chunkParts from './0007-chunk-parts.ts';

export const workspaceMigrations: DomainMigrations = {
  domain: 'workspaces',
  migrations: {
    '0001-workspaces': workspaces,
    '0002-csv-files': csvFiles,
    '0003-invitations': invitations,
    '0004-consent': consent,
    '0005-stored-files': storedFiles,
    '0006-skipped-lines': skippedLines,
    '0007-chunk-parts': chunkParts,
  },
};
