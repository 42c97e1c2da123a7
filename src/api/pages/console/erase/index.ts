import type { ConsoleRoute } from '../visit.ts';
import { erasePage } from './erase-page.ts';
import { exportDownload, exportPage } from './export-page.ts';
import { farewellPage } from './farewell-page.ts';

/** The pages on which an account takes its data away, or leaves. */
export const ERASE_PAGES: readonly ConsoleRoute[] = [exportPage, exportDownload, erasePage, farewellPage];
