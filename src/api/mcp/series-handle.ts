import { type PublicReference, Source } from '../../contract/index.ts';
import { parsePart } from '../edge/validate.ts';
import { readSource, sourceParams } from '../pages/console/source-address.ts';
import { choiceNotOfSource, repeatedHandlePart, unknownHandlePart, unreadableHandle } from './faults.ts';

/**
 * Returns the handle of a series: one text that an agent passes from tool to tool. It has the parts of the address of the
 * series in the console.
 *
 * @example formatHandle({ type: 'market', symbol: 'AAPL', timeframe: '1D' }) // source=market&symbol=AAPL&timeframe=1D
 */
export function formatHandle(source: PublicReference): string {
  return sourceParams(source).toString();
}

/** Reads a handle. Throws a fault if it is not one, or has a part that its kind of series does not have. */
export function readHandle(handle: string): PublicReference {
  const params = new URLSearchParams(handle);
  const named = readSource(Object.fromEntries(params));
  if (named === null) throw unreadableHandle();
  const source = parsePart(Source, named, 'series');
  const known = sourceParams(source);
  for (const [name, value] of params) {
    if (value !== '' && !known.has(name)) throw unknownHandlePart(name);
    if (params.getAll(name).length > 1) throw repeatedHandlePart(name);
  }
  return source;
}

/** The parts of a series that an agent can choose besides its handle. */
export interface SeriesChoices {
  readonly value_field?: string | undefined;
  readonly dimensions?: Readonly<Record<string, string>> | undefined;
  readonly timeframe?: string | undefined;
  readonly vintage?: string | undefined;
}

/** Returns a series with choices made. Throws a fault for a choice that this kind of series does not have. */
export function chooseSeries(source: PublicReference, choices: SeriesChoices): PublicReference {
  const { value_field, dimensions, timeframe, vintage } = choices;
  if (dimensions && source.type !== 'economic_series') throw choiceNotOfSource('dimensions', 'economic series');
  if (vintage !== undefined && source.type !== 'economic_series') throw choiceNotOfSource('vintage', 'economic series');
  if (timeframe !== undefined && source.type !== 'market') throw choiceNotOfSource('timeframe', 'market data');
  const chosen = {
    ...source,
    ...(value_field !== undefined && { value_field }),
    ...(timeframe !== undefined && { timeframe }),
    ...(vintage !== undefined && { vintage }),
    ...(dimensions && { dimensions: { ...(source as { dimensions?: object }).dimensions, ...dimensions } }),
  };
  return parsePart(Source, chosen, 'arguments');
}
