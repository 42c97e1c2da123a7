import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
  WireText,
} from '../platform/wire-server.ts';

/** A data set of the server. */
export interface EurostatDataSet {
  readonly code: string;
  readonly title: string;
  /** The codes and labels of each dimension but the time, in the order of the data set. */
  readonly dimensions: readonly {
    readonly id: string;
    readonly label: string;
    readonly values: Readonly<Record<string, string>>;
  }[];
  readonly periods: readonly string[];
  /** The cells by key, such as M.I15.CP00.FR, and by period. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly flags?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly updated?: string;
  readonly type?: 'dataset' | 'table';
  /** The titles of folders in which the table of contents has it. Default: one folder. */
  readonly folders?: readonly (readonly string[])[];
}

export interface EurostatServerOptions {
  /** Read at every request, so that a test can change them. */
  readonly dataSets: readonly EurostatDataSet[];
  /** A larger cube is announced for later. Default: 500,000, as Eurostat has it. */
  readonly maxCells?: number;
  /** Whether a request for a period that does not exist is refused, in place of a reply without cells. */
  readonly refusesUnknownPeriods?: boolean;
}

const FLAGS: Readonly<Record<string, string>> = {
  b: 'break in time series',
  e: 'estimated',
  p: 'provisional',
  '|C': '|confidential',
};

/** A reply in place of a cube. */
class Refusal extends Error {
  readonly reply: WireReply;

  constructor(status: number, id: number, label: string) {
    super(label);
    this.reply = { status, body: { error: [{ status, id, label }] } };
  }
}

/**
 * Starts a server that speaks the protocol of Eurostat's API Statistics and of its table of contents.
 *
 * @example await using server = await startEurostatServer({ dataSets: [HICP] });
 */
export async function startEurostatServer(options: EurostatServerOptions): Promise<WireServer> {
  return startWireServer((request) => {
    try {
      if (request.path === '/catalogue/toc/txt') return listContents(options, request);
      const code = /^\/statistics\/1\.0\/data\/([^/]+)$/.exec(request.path)?.[1];
      if (code === undefined) return { status: 404, body: new WireText('<html>Not found</html>', 'text/html') };
      return readData(options, request, decodeURIComponent(code));
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  });
}

function readData(options: EurostatServerOptions, { query }: WireRequest, code: string): WireReply {
  const dataSet = options.dataSets.find((one) => one.code.toLowerCase() === code.toLowerCase());
  if (dataSet === undefined) {
    throw new Refusal(404, 100, `ERR_NOT_FOUND_4: ${code.toUpperCase()} is not available for dissemination.`);
  }
  const { format, lang, time_period: period, lastTimePeriod, ...filters } = query;
  if (format !== 'JSON' || lang !== 'EN') throw new Refusal(400, 140, 'INVALID_PARAMETER: format or lang');
  if (options.refusesUnknownPeriods && period !== undefined && !dataSet.periods.includes(period)) {
    throw new Refusal(400, 140, 'TIME_PERIOD_FILTER_SPEC_INVALID: time_period');
  }
  for (const name of Object.keys(filters)) {
    if (!dataSet.dimensions.some(({ id }) => id.toUpperCase() === name.toUpperCase())) {
      const label = `INVALID_QUERY_DIMENSION: Dimension "${name.toUpperCase()}" is not defined`;
      throw new Refusal(400, 150, label);
    }
  }
  const selected = dataSet.dimensions.map(({ id, values }) => {
    const filter = Object.entries(filters).find(([name]) => name.toUpperCase() === id.toUpperCase())?.[1];
    // A value that the data set does not have is left out without an error.
    return Object.keys(values).filter((value) => filter === undefined || value.toUpperCase() === filter.toUpperCase());
  });
  const periods = dataSet.periods
    .filter((text) => period === undefined || text === period)
    .slice(lastTimePeriod === undefined ? 0 : -Number(lastTimePeriod));
  const count = selected.reduce((product, codes) => product * codes.length, periods.length);
  if (count > (options.maxCells ?? 500_000)) {
    const label = 'ASYNCHRONOUS_RESPONSE. Your request will be treated asynchronously. Please try again later.';
    return { status: 200, body: { warning: { status: 413, label } } };
  }
  return { status: 200, body: encodeCube(dataSet, selected, periods) };
}

/** Returns the reply in JSON-stat 2.0, with the fields that Eurostat sends. */
export function encodeCube(
  { code, title, dimensions, periods: all, cells, flags = {}, updated }: EurostatDataSet,
  selected: readonly (readonly string[])[],
  periods: readonly string[],
): Record<string, unknown> {
  const value: Record<string, number> = {};
  const status: Record<string, string> = {};
  const usedFlags = new Set<string>();
  for (const [i, key] of keysOf(selected).entries()) {
    for (const [position, period] of periods.entries()) {
      const cell = cells[key]?.[period];
      const flag = flags[key]?.[period];
      const index = String(i * periods.length + position);
      if (cell !== undefined) value[index] = cell;
      if (flag === undefined) continue;
      status[index] = flag;
      usedFlags.add(flag);
    }
  }
  const used = Object.fromEntries([...usedFlags].map((flag) => [flag, FLAGS[flag] ?? flag]));
  return {
    version: '2.0',
    class: 'dataset',
    label: title,
    source: 'ESTAT',
    updated: updated ?? '2025-01-15T11:00:00+0100',
    value,
    ...(usedFlags.size > 0 && { status }),
    id: [...dimensions.map(({ id }) => id), 'time'],
    size: [...selected.map(({ length }) => length), periods.length],
    dimension: Object.fromEntries([
      ...dimensions.map(({ id, label, values }, i) => [id, encodeDimension(label, selected[i] ?? [], values)]),
      ['time', encodeDimension('Time', periods, {})],
    ]),
    extension: {
      lang: 'EN',
      id: code.toUpperCase(),
      agencyId: 'ESTAT',
      version: '1.0',
      annotation: [
        { type: 'OBS_PERIOD_OVERALL_LATEST', title: all.at(-1) },
        { type: 'OBS_PERIOD_OVERALL_OLDEST', title: all[0] },
        { type: 'UPDATE_DATA', date: updated ?? '2025-01-15T11:00:00+0100' },
      ],
      ...(usedFlags.size > 0 && { status: { label: used } }),
    },
  };
}

function encodeDimension(label: string, codes: readonly string[], labels: Readonly<Record<string, string>>): unknown {
  const index = Object.fromEntries(codes.map((code, position) => [code, position]));
  return { label, category: { index, label: Object.fromEntries(codes.map((code) => [code, labels[code] ?? code])) } };
}

/** Returns the keys of all combinations. The value of the last dimension changes first. */
function keysOf(selected: readonly (readonly string[])[]): string[] {
  return selected
    .reduce<string[][]>((keys, codes) => keys.flatMap((key) => codes.map((code) => [...key, code])), [[]])
    .map((key) => key.join('.'));
}

const HEADER =
  '"title"\t"code"\t"type"\t"last update of data"\t"last table structure change"\t"data start"\t"data end"';

function listContents({ dataSets }: EurostatServerOptions, { query }: WireRequest): WireReply {
  if (query.lang !== 'en' || Object.keys(query).length !== 1) throw new Refusal(400, 140, 'INVALID_PARAMETER: lang');
  const rows = [`${HEADER}\t"values"`, folderRow(0, 'Database by themes', 'data')];
  for (const dataSet of dataSets) {
    for (const folders of dataSet.folders ?? [['General statistics']]) {
      for (const [i, title] of folders.entries()) rows.push(folderRow(i + 1, title, `folder_${i}`));
      rows.push(dataSetRow(folders.length + 1, dataSet));
    }
  }
  return { status: 200, body: new WireText(`${rows.join('\r\n')}\r\n`, 'text/plain;charset=UTF-8') };
}

function folderRow(depth: number, title: string, code: string): string {
  return `"${'    '.repeat(depth)}${title}"\t"${code}"\t"folder"\t" "\t" "\t" "\t" "\t`;
}

function dataSetRow(
  depth: number,
  { title, code, type = 'dataset', updated, periods, cells }: EurostatDataSet,
): string {
  const [year, month, day] = (updated ?? '2025-01-15').slice(0, 10).split('-');
  const date = `"${day}.${month}.${year}"`;
  const count = Object.values(cells).reduce((sum, ofKey) => sum + Object.keys(ofKey).length, 0);
  const name = `${'    '.repeat(depth)}${title.replaceAll('"', '""')}`;
  return `"${name}"\t"${code}"\t"${type}"\t${date}\t${date}\t"${periods[0]}"\t"${periods.at(-1)}"\t${count}`;
}
