import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
  WireText,
} from '../platform/wire-server.ts';
import { formatFlows, formatStructure } from './ecb-messages.ts';

/** A data set. */
export interface EcbFlow {
  readonly id: string;
  readonly name: string;
  /** The id of its data structure, which the flow's own id does not tell. */
  readonly structure: string;
  /** The agency of the data structure. Default: ECB. */
  readonly agency?: string;
  readonly dimensions: readonly EcbDimension[];
  /** The series-level attributes of the data. Default: those of exchange rates. */
  readonly attributes?: readonly string[];
}

export interface EcbDimension {
  readonly id: string;
  readonly name: string;
  readonly codeList: string;
  readonly codes: Readonly<Record<string, string>>;
}

export interface EcbSeries {
  readonly flow: string;
  readonly key: string;
  /** The series-level attributes, by column. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Period, value (empty if it is missing), status and comment. */
  readonly observations: readonly (readonly [period: string, value: string, status?: string, comment?: string])[];
}

export interface EcbServerOptions {
  readonly flows: readonly EcbFlow[];
  /** Read at every request, so that a test can change them. */
  readonly series: readonly EcbSeries[];
}

/** The path of the service. */
export const ECB_PATH = '/service';

const STRUCTURE_TYPE = 'application/vnd.sdmx.structure+xml;version=2.1';
const OBSERVATION_COLUMNS = ['TIME_PERIOD', 'OBS_VALUE', 'OBS_STATUS', 'OBS_CONF', 'OBS_PRE_BREAK', 'OBS_COM'];
const ATTRIBUTES = [
  ...['TIME_FORMAT', 'BREAKS', 'COLLECTION', 'COMPILING_ORG', 'DISS_ORG', 'DOM_SER_IDS', 'PUBL_ECB', 'PUBL_MU'],
  ...['PUBL_PUBLIC', 'UNIT_INDEX_BASE', 'COMPILATION', 'COVERAGE', 'DECIMALS', 'NAT_TITLE', 'SOURCE_AGENCY'],
  ...['SOURCE_PUB', 'TITLE', 'TITLE_COMPL', 'UNIT', 'UNIT_MULT'],
];

/**
 * Starts a server that speaks the protocol of the ECB Data Portal, and refuses what the ECB refuses.
 *
 * @example await using server = await startEcbServer({ flows, series });
 */
export async function startEcbServer(options: EcbServerOptions): Promise<WireServer> {
  return startWireServer((request) => {
    if (!request.path.startsWith(`${ECB_PATH}/`)) return notFound(request);
    const [resource = '', ...path] = request.path
      .slice(ECB_PATH.length + 1)
      .split('/')
      .map(decodeURIComponent);
    if (resource === 'dataflow') return answerFlows(options, request, path);
    if (resource === 'datastructure') return answerStructure(options, request, path);
    if (resource === 'data') return answerData(options, request, path);
    return notFound(request);
  });
}

/** Formats an error as the service does. */
function problem({ path }: WireRequest, status: number, title: string, detail: string): WireReply {
  const body = { type: path, title, status, detail, instance: path };
  return { status, body, headers: { 'content-type': 'application/problem+json' } };
}

/** The reply of the web server to an address that it does not serve. */
function notFound({ path }: WireRequest): WireReply {
  return {
    status: 404,
    body: { timestamp: '2025-03-03T11:46:26.285+00:00', status: 404, error: 'Not Found', path },
  };
}

const noResults = (request: WireRequest) => problem(request, 404, 'Not Found', 'No results found.');
const syntaxError = (request: WireRequest) => problem(request, 400, 'Bad Request', 'Syntax error.');

function structureReply(request: WireRequest, text: string): WireReply {
  const { accept = '*/*' } = request.headers;
  if (accept !== STRUCTURE_TYPE && accept !== '*/*') return problem(request, 406, 'Not Acceptable', 'Not acceptable.');
  return { status: 200, body: new WireText(text, STRUCTURE_TYPE) };
}

function answerFlows({ flows }: EcbServerOptions, request: WireRequest, [agency, id, ...rest]: string[]): WireReply {
  if (rest.length > 0 || Object.keys(request.query).length > 0) return syntaxError(request);
  const found = agency === 'ECB' ? flows.filter((flow) => id === undefined || flow.id === id) : [];
  return found.length === 0 ? noResults(request) : structureReply(request, formatFlows(found));
}

function answerStructure({ flows }: EcbServerOptions, request: WireRequest, path: readonly string[]): WireReply {
  const { references, ...others } = request.query;
  if (references !== 'children' || Object.keys(others).length > 0) return syntaxError(request);
  const [agency, id, version] = path;
  const flow = flows.find(({ structure, agency: owner = 'ECB' }) => structure === id && owner === agency);
  if (flow === undefined || version !== '1.0' || path.length !== 3) return noResults(request);
  return structureReply(request, formatStructure({ ...flow, attributes: flow.attributes ?? ATTRIBUTES }));
}

function answerData(options: EcbServerOptions, request: WireRequest, path: readonly string[]): WireReply {
  const { format, lastNObservations = '', ...others } = request.query;
  const [flowId, key = '', ...rest] = path;
  if (format !== 'csvdata' || !/^\d*$/.test(lastNObservations) || Object.keys(others).length > 0) {
    return syntaxError(request);
  }
  const flow = options.flows.find(({ id }) => id === flowId);
  if (flow === undefined || rest.length > 0 || key === '') return noResults(request);
  // A key with fewer dimensions matches every series that begins with them.
  const found = options.series.filter(
    (series) => series.flow === flowId && (series.key === key || series.key.startsWith(`${key}.`)),
  );
  if (found.length === 0) return noResults(request);
  const last = lastNObservations === '' ? Number.POSITIVE_INFINITY : Number(lastNObservations);
  return {
    status: 200,
    body: new WireText(formatCsv(flow, found, last), 'application/vnd.ecb.data+csv;version=1.0.0'),
  };
}

function formatCsv(
  { dimensions, attributes = ATTRIBUTES }: EcbFlow,
  series: readonly EcbSeries[],
  last: number,
): string {
  const header = ['KEY', ...dimensions.map(({ id }) => id), ...OBSERVATION_COLUMNS, ...attributes];
  const rows = series.flatMap(({ flow, key, attributes: stated, observations }) =>
    observations.slice(-last).map(([period, value, status = 'A', comment = '']) => {
      const observation = [period, value, status, 'F', '', comment];
      const cells = [`${flow}.${key}`, ...key.split('.'), ...observation, ...attributes.map((id) => stated[id] ?? '')];
      return cells.map(formatCell);
    }),
  );
  return [header, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function formatCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
