import type { ConsoleRoute } from '../visit.ts';
import { deleteFilePage } from './delete-file.ts';
import { filePage } from './file-page.ts';
import { filesPage, ownFilesPage } from './files-page.ts';

/** The pages of the files of a workspace. */
export const FILE_PAGES: readonly ConsoleRoute[] = [ownFilesPage, filesPage, filePage, deleteFilePage];
