/** A file as it comes from a bank, an office or a spreadsheet, and what a forecast makes of it. */
export interface MessyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options?: readonly string[];
  /** The rows that are read: their number, the first and the last one. */
  readonly rows?: readonly [count: number, first: readonly [string, number], last: readonly [string, number]];
  /** What is found out. */
  readonly reading?: Readonly<Record<string, unknown>>;
  /** The message if the file is refused: the line, and what to do. */
  readonly refused?: RegExp;
}

const days = (count: number, step = 1) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2023, 0, 6 + i * step)).toISOString().slice(0, 10));
const dayFirst = (day: string, sign: string) => day.split('-').reverse().join(sign);
const utf8 = (text: string) => Buffer.from(text);

export const MESSY_FILES: readonly MessyFile[] = [
  {
    name: 'statement of a German bank: title, semicolons, day first, decimal commas, windows-1252',
    bytes: Buffer.from(
      `Umsätze Konto 1234\r\n\r\nBuchungstag;Währung;Betrag\r\n${days(20)
        .map((day, i) => `${dayFirst(day, '.')};EUR;1.${200 + i},50\r\n`)
        .join('')}`,
      'latin1',
    ),
    rows: [20, ['2023-01-06', 1200.5], ['2023-01-25', 1219.5]],
    reading: {
      encoding: 'windows-1252',
      delimiter: ';',
      time_column: 'Buchungstag',
      value_column: 'Betrag',
      frequency: '1D',
    },
  },
  {
    name: 'prices of a US exchange: newest first, month first, marks between thousands',
    bytes: utf8(
      `Date,Volume,Close\n${days(30)
        .map((day, i) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)},"1,${100 + i},000",${150 + i}.25\n`)
        .reverse()
        .join('')}`,
    ),
    rows: [30, ['2023-01-06', 150.25], ['2023-02-04', 179.25]],
    reading: { time_format: 'month_first', value_column: 'Close' },
  },
  {
    name: 'table of an office: two titles, units below the names, a total and a note',
    bytes: utf8(
      `Industrial output\nSource: the office\nMonth,Output,Index\n,EUR million,2015=100\n${Array.from({ length: 24 }, (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')},${100 + i},${90 + i}\n`).join('')}Total,2676,\nNote: provisional,,\n`,
    ),
    rows: [24, ['2020-01-01', 100], ['2021-12-01', 123]],
    reading: { frequency: '1MS', skipped: [1, 2, 4, 29, 30] },
  },
  {
    name: 'export of a spreadsheet: UTF-16, tabs, quarters',
    bytes: Buffer.from(
      `\ufeffQuarter\tSales\n${Array.from({ length: 16 }, (_, i) => `Q${(i % 4) + 1} ${2015 + Math.floor(i / 4)}\t${200 + i}\n`).join('')}`,
      'utf16le',
    ),
    rows: [16, ['2015-03-31', 200], ['2018-12-31', 215]],
    reading: { encoding: 'utf-16le', delimiter: '\t', frequency: '1QE' },
  },
  {
    name: 'weeks that end on Fridays, with a sep= line and without names',
    bytes: utf8(
      `sep=;\n${days(20, 7)
        .map((day, i) => `${day};${50 + i}\n`)
        .join('')}`,
    ),
    rows: [20, ['2023-01-02', 50], ['2023-05-15', 69]],
    reading: { header: 'absent', frequency: '1W-MON', dated_by: 'monday_of_week' },
  },
  {
    name: 'data frame with an index, and cells without a value',
    bytes: utf8(
      `,ds,y\n${days(20)
        .map((day, i) => `${i},${day} 00:00:00,${i === 4 ? 'NaN' : i === 5 ? '' : 10 + i}\n`)
        .join('')}`,
    ),
    rows: [18, ['2023-01-06', 10], ['2023-01-25', 29]],
    reading: { time_column: 'ds', value_column: 'y' },
  },
  {
    name: 'several series below each other, of which an option chooses one',
    bytes: utf8(
      `date,store,sales\n${days(12)
        .flatMap((day, i) => [`${day},Bonn,${i}\n`, `${day},Paris,${100 + i}\n`])
        .join('')}`,
    ),
    options: ['--where', 'store=Paris'],
    rows: [12, ['2023-01-06', 100], ['2023-01-17', 111]],
  },
  {
    name: 'several series below each other',
    bytes: utf8(
      `date,store,sales\n${days(12)
        .flatMap((day, i) => [`${day},Bonn,${i}\n`, `${day},Paris,${100 + i}\n`])
        .join('')}`,
    ),
    refused: /line 3: .* is already used on line 2\..*--where "store=Bonn"/,
  },
  {
    name: 'dates that fit both orders',
    bytes: utf8(
      `date,value\n${Array.from({ length: 9 }, (_, i) => `0${i + 1}/0${((i + 1) % 9) + 1}/2024,${i}\n`).join('')}`,
    ),
    refused: /line 2: "01\/02\/2024" can be read day first or month first.*--dates day_first or --dates month_first/,
  },
  {
    name: 'dates that fit both orders, with the option',
    bytes: utf8(`date,value\n${Array.from({ length: 9 }, (_, i) => `0${i + 1}/02/2024,${i}\n`).join('')}`),
    options: ['--dates', 'day_first'],
    rows: [9, ['2024-02-01', 0], ['2024-02-09', 8]],
  },
  {
    name: 'amounts with the sign of a currency',
    bytes: utf8(
      `Month,Revenue\n${days(12)
        .map((day, i) => `${day},"$1,${200 + i}.50"\n`)
        .join('')}`,
    ),
    refused: /line 2: "\$1,200\.50" is not a number\. Write numbers without signs/,
  },
  {
    name: 'years with two digits',
    bytes: utf8(
      `Date,Price\n${days(12)
        .map((day, i) => `${dayFirst(day.slice(2), '/')},${i}\n`)
        .join('')}`,
    ),
    refused: /line 2: "06\/01\/23" has no year of four digits\. Write dates as YYYY-MM-DD/,
  },
  {
    name: 'a word among the numbers',
    bytes: utf8(
      `date,value\n${days(20)
        .map((day, i) => `${day},${i === 9 ? 'n.v.' : i}\n`)
        .join('')}`,
    ),
    refused: /line 11: "n\.v\." is not a number.* Correct it, or leave the cell empty/,
  },
  {
    name: 'years as the names of columns',
    bytes: utf8('Country,1990,1991,1992,1993\nGermany,1.1,1.2,1.3,1.4\nFrance,2.1,2.2,2.3,2.4\n'),
    refused: /line 1: the times are the names of columns, from "1990" to "1993"\. Write a row for each/,
  },
  {
    name: 'a row with a comma too many',
    bytes: utf8('date,value\n2024-01-01,1\n2024-01-02,2,5\n2024-01-03,3\n'),
    refused: /line 3: there are 3 cells, but the first line has 2\. Correct the line/,
  },
  {
    name: 'a date twice',
    bytes: utf8(
      `date,value\n${days(12)
        .map((day, i) => `${day},${i}\n`)
        .join('')}2023-01-08,7\n`,
    ),
    refused: /line 14: the time 2023-01-08T00:00:00\.000Z is already used on line 4\. Keep one row for each time/,
  },
  {
    name: 'a NUL byte',
    bytes: utf8('date,value\n2024-01-01,1\n2024-01-02,\u00002\n'),
    refused: /line 3: .*U\+0000.*Save it as CSV/,
  },
  {
    name: 'a workbook',
    bytes: Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1'),
    refused: /line 1: .*control character.*Save it as CSV/,
  },
  { name: 'nothing', bytes: utf8(''), refused: /line 1: the file is empty/ },
  {
    name: 'one row',
    bytes: utf8('date,value\n2024-01-01,1\n'),
    refused: /has 1 rows? with a value\. At least 3 are needed/,
  },
];
