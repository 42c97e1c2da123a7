import type { CommandArgument, CommandOptions, CommandValues } from '../command.ts';
import { readPairs, type SeriesChoices } from './read-target.ts';

/** A file, standard input or a series: `AAPL`, `bundled:mauna-loa-co2` or a source of the API as JSON. */
export const SERIES_ARGUMENT: CommandArgument = { name: 'FILE|-|SERIES', isFile: true };

/** The options that choose within a series. Its value field is chosen with `value`, as the column of a file. */
export const SERIES_OPTIONS = {
  dimension: {
    type: 'string',
    value: 'NAME=VALUE',
    isRepeatable: true,
    help: 'a dimension of an economic series, such as country=DE',
  },
  timeframe: {
    type: 'string',
    value: 'NAME',
    help: 'the timeframe of market data, such as 1D or 1W-MON',
    default: '1D',
  },
} as const satisfies CommandOptions;

export function readChoices(values: CommandValues): SeriesChoices {
  return {
    valueField: values.value as string | undefined,
    dimensions: readPairs('dimension', values.dimension as readonly string[] | undefined),
    timeframe: values.timeframe as string | undefined,
  };
}
