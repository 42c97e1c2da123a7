import type { PublicReference } from '../../../../contract/index.ts';
import { invalidChoice, rangeOfFile, seriesNotNamed } from '../../../faults.ts';
import { readSource } from '../source-address.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { readChoices } from './page-choices.ts';
import { rowsRequest } from './read-rows.ts';

/** The rows of a series as a file, with the parameters of its page. */
export const seriesCsv: ConsoleRoute = { path: '/series.csv', get: sendCsv };

async function sendCsv({ visitor, query }: ConsoleVisit) {
  // The operation checks it.
  const source = readSource(query) as PublicReference | null;
  if (source === null || query.source === 'workspace_csv') throw seriesNotNamed();
  const isMarket = source.type === 'market';
  const choices = readChoices(query, isMarket);
  const [error] = Object.values(choices.errors);
  if (error !== undefined) throw invalidChoice(error);
  const range = (['from', 'to'] as const).find((name) => choices[name] !== null);
  if (!isMarket && range !== undefined) throw rangeOfFile(range);
  await visitor.becomeGuest();
  const body = { ...rowsRequest(source, choices, choices.to !== null), format: 'csv' };
  return visitor.callForFile(isMarket ? 'readStockHistory' : 'readObservations', { body });
}
