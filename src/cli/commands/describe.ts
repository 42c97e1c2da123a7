import { JSON_OPTION, type LocalCommand } from '../command.ts';
import { SERVICE_OPTIONS } from '../connect.ts';
import { seriesUnknownHere } from '../failures.ts';
import { type Description, describeBundled } from '../series/bundled.ts';
import { describeReading } from '../series/describe-reading.ts';
import { readBytes } from '../series/read-bytes.ts';
import { FILE_OPTIONS, readRows } from '../series/read-rows.ts';
import { nameSource, readTarget, type Target } from '../series/read-target.ts';
import { runSeriesCommand, type SeriesCommand } from '../series/run-series-command.ts';
import { readChoices, SERIES_ARGUMENT, SERIES_OPTIONS } from '../series/series-options.ts';
import { formatFacts, formatSpan } from '../series/show-series.ts';

export const describeCommands: LocalCommand[] = [
  {
    name: 'describe',
    arguments: [SERIES_ARGUMENT],
    options: { ...FILE_OPTIONS, ...SERIES_OPTIONS, ...JSON_OPTION, ...SERVICE_OPTIONS },
    summary: 'Describes a series, or how a CSV file is read and what can be chosen.',
    example: 'describe AAPL',
    async run(config, [word = ''], values, terminal) {
      const choices = readChoices(values);
      const command = { config, values, terminal };
      return runSeriesCommand({ name: 'describe', subject: word }, command, async (series) => {
        const target = await readTarget(word, choices);
        const isText = values.json !== true && terminal.stdout.isTTY === true;
        if (target.kind === 'rows') return describeFile(target, series, isText);
        const description = await describeSeries(target, series);
        return isText ? formatDescription(target, description) : { series: nameSource(target.source), ...description };
      });
    },
  },
];

async function describeFile(target: Extract<Target, { kind: 'rows' }>, command: SeriesCommand, isText: boolean) {
  const { progress, terminal, values } = command;
  const note = (line: string) => progress.note(line);
  const bytes = readBytes(target, { stdin: terminal.stdin, signal: progress.signal, note });
  const { rows, title, reading } = await readRows(bytes, target, values, undefined);
  const span = { start: toIso(rows.times[0]), end: toIso(rows.times.at(-1)) };
  return isText
    ? [...describeReading(reading), `Its rows are ${formatSpan(span)}.\n`].join('\n')
    : { title, span, ...reading };
}

function toIso(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString();
}

async function describeSeries(
  { source, name }: Extract<Target, { kind: 'series' }>,
  command: SeriesCommand,
): Promise<Description> {
  const { signal } = command.progress;
  const bundled = command.isRemote ? null : await describeBundled(source, signal);
  if (bundled !== null) return bundled;
  const service = await command.findService();
  if (service === null) throw seriesUnknownHere(name);
  return (await service.almanac.series.describe({ source } as never, { signal })) as unknown as Description;
}

function formatDescription({ source }: Extract<Target, { kind: 'series' }>, described: Description): string {
  const { title, frequency, units, span, rows, publisher, license, values, dimensions, timeframes, notes } = described;
  const dimension = dimensions.map(({ field, required, values: known = [] }) => {
    const examples = known
      .slice(0, 5)
      .map(({ value }) => value)
      .join(', ');
    return `${field}${required ? ' (required)' : ''}${examples === '' ? '' : `: ${examples}${known.length > 5 ? ' …' : ''}`}`;
  });
  return formatFacts([
    ['Series', nameSource(source)],
    ['Title', title],
    ['Rows', [rows === null ? '' : String(rows), formatSpan(span)].filter(Boolean).join(', ')],
    ['Frequency', frequency],
    ['Units', units],
    ['Values (--value)', values.map(({ field }) => field).join(', ')],
    ['Dimensions (--dimension)', dimension.join('; ')],
    ['Timeframes (--timeframe)', timeframes?.join(', ')],
    ['Publisher', publisher],
    ['License', license.name],
    ['Notes', notes],
  ]);
}
