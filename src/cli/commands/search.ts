import type { PublicReference } from '../../contract/index.ts';
import { JSON_OPTION, type LocalCommand } from '../command.ts';
import { SERVICE_OPTIONS } from '../connect.ts';
import { readWholeNumber } from '../forecast/forecast-options.ts';
import { nameSource } from '../series/read-target.ts';
import { runSeriesCommand, type SeriesCommand } from '../series/run-series-command.ts';
import { searchBundled } from '../series/search-bundled.ts';
import { formatSpan, formatTable } from '../series/show-series.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

interface Found {
  readonly source: PublicReference;
  readonly title: string;
  readonly provider: string;
  readonly frequency: string;
  readonly units: string;
  readonly span: { readonly start: string; readonly end: string } | null;
}

export const searchCommands: LocalCommand[] = [
  {
    name: 'search',
    arguments: [{ name: 'WORD', isRepeatable: true }],
    options: {
      limit: {
        type: 'string',
        value: 'NUMBER',
        format: 'number',
        default: String(DEFAULT_LIMIT),
        help: 'the maximum number of results',
      },
      ...JSON_OPTION,
      ...SERVICE_OPTIONS,
    },
    summary:
      'Finds series by words: of the service, or the bundled ones if none runs. The first column is what "forecast" takes.',
    example: 'search unemployment',
    async run(config, words, values, terminal) {
      const limit = readWholeNumber('limit', values.limit, 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
      const subject = words.join(' ');
      return runSeriesCommand({ name: 'search', subject }, { config, values, terminal }, async (command) => {
        const { found, ...facts } = await find(subject, limit, command);
        const results = found.map(({ source, title, provider, frequency, units, span }) => ({
          series: nameSource(source),
          title,
          provider,
          frequency,
          units,
          span,
          source,
        }));
        if (values.json === true || terminal.stdout.isTTY !== true) return { results, ...facts };
        if (results.length === 0) return 'Nothing was found. Try fewer or other words.\n';
        return formatTable(
          results.map(({ series, title, frequency, span }) => [series, title, frequency, formatSpan(span)]),
        );
      });
    },
  },
];

async function find(query: string, limit: number, command: SeriesCommand) {
  const service = await command.findService();
  if (service === null) {
    command.progress.note('No service is running, so only the bundled series are searched.');
    return { found: (await searchBundled(query, limit)) as readonly Found[], searched: 'bundled', unavailable: [] };
  }
  const { signal } = command.progress;
  const { results, unavailable } = await service.almanac.series.search({ query, limit }, { signal });
  if (unavailable.length > 0) command.progress.note(`These providers did not reply: ${unavailable.join(', ')}.`);
  return { found: results as readonly Found[], searched: service.url, unavailable };
}
