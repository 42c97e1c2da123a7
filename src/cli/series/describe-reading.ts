import { PERIOD_WORDS } from '../../calendar/index.ts';
import type { FileReading } from './read-rows.ts';

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'pipes' };
const FORMATS: Readonly<Record<string, string>> = {
  day_first: ', day first (--dates)',
  month_first: ', month first (--dates)',
  decimal_comma: ', with decimal commas',
};

/** Returns what was found out about a file, each with the option that chooses otherwise, in lines for people. */
export function describeReading(reading: FileReading): string[] {
  const isInferred = (choice: string) => reading.inferred.includes(choice);
  const option = (choice: string) => (isInferred(choice) ? ` (--${choice})` : '');
  const format = (name: string | null) => FORMATS[name ?? ''] ?? '';
  const { adverb = reading.frequency } = PERIOD_WORDS[reading.frequency as keyof typeof PERIOD_WORDS] ?? {};
  const parts = [
    `times in ${JSON.stringify(reading.time_column)}${option('time')}${format(reading.time_format)}`,
    `values in ${JSON.stringify(reading.value_column)}${option('value')}${format(reading.value_format)}`,
    `${adverb} rows, ${reading.frequency}${option('frequency')}`,
    ...(reading.delimiter === ',' || !isInferred('delimiter')
      ? []
      : [`cells between ${DELIMITERS[reading.delimiter]} (--delimiter)`]),
    ...(reading.header === 'absent' && isInferred('header') ? ['no line with names (--header)'] : []),
    ...(reading.encoding !== 'utf-8' && isInferred('encoding') ? [`${reading.encoding} (--encoding)`] : []),
    ...(reading.dated_by === null ? [] : [`each row dated by the ${reading.dated_by.replaceAll('_', ' ')}`]),
  ];
  const lines = [`Read ${reading.rows} rows of ${reading.file}: ${parts.join('; ')}.`];
  if (reading.skipped.length > 0) {
    const skipped = reading.skipped.map(({ line, kind, text }) => `line ${line} (${kind}: ${text.slice(0, 40)})`);
    lines.push(`Left out ${skipped.join(', ')}.`);
  }
  if (reading.older_rows_left_out > 0) {
    lines.push(`Left out the ${reading.older_rows_left_out} oldest rows: a forecast reads at most ${reading.rows}.`);
  }
  return lines;
}
