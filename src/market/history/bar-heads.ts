import type { Heads } from '../../snapshots/index.ts';
import { BAR_COLUMNS } from '../bars.ts';

/** How bars are written as JSON and CSV. */
export const BAR_HEADS: Heads = Object.fromEntries(BAR_COLUMNS.map((name) => [name, name]));
