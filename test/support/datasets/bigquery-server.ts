import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Reply, sendJson } from '../platform/wire-server.ts';
import { type Account, createTokenEndpoint } from './bigquery-accounts.ts';
import { describeTable, ErrorReply, type ServedTable, startQuery } from './bigquery-jobs.ts';

export type { ServedTable } from './bigquery-jobs.ts';
export { parseAllowedQuery } from './bigquery-query.ts';

/** A request as the server received it, without its token. */
export interface BigqueryRequest {
  readonly kind: RequestKind;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the body; its text if it is not JSON. */
  readonly body: unknown;
}

export type RequestKind = 'token' | 'table' | 'query' | 'results' | 'cancel' | 'other';

export interface BigqueryServerOptions {
  readonly account: Account;
  /** The project that pays. */
  readonly project: string;
  readonly tables: readonly ServedTable[];
  /** The current time in milliseconds. Default: the real one. */
  readonly clock?: () => number;
  /** The largest number of rows in a page. Default: that of the request. */
  readonly pageRows?: number;
}

export interface BigqueryServer extends AsyncDisposable {
  readonly url: string;
  readonly tokenUri: string;
  readonly requests: BigqueryRequest[];
  /** Replaces the replies to the next requests of a kind, one each. */
  readonly script: Record<RequestKind, Reply[]>;
  /** Whether jobs that start now do not complete until they are canceled or `isHeld` is false again. */
  isHeld: boolean;
  /** Returns the number of jobs that have not ended. */
  countRunning(): number;
  /** Makes all tokens invalid that were issued so far. */
  revokeTokens(): void;
  /** Returns the access tokens that were issued. */
  issued(): readonly string[];
}

interface Job {
  readonly id: string;
  readonly location: string;
  readonly rows: readonly (readonly (string | null)[])[];
  readonly bytes: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly isHeld: boolean;
  isCanceled: boolean;
}

const READ_SCOPES = ['bigquery.readonly', 'bigquery', 'cloud-platform'];
const CANCEL_SCOPES = ['bigquery', 'cloud-platform'];
const SCHEMA = {
  fields: [
    { name: 't', type: 'INTEGER', mode: 'NULLABLE' },
    { name: 'v', type: 'FLOAT', mode: 'NULLABLE' },
  ],
};
/** BigQuery sends at most 10 MB. */
const MAX_PAGE_ROWS = 100_000;

/**
 * Starts a server that speaks the part of BigQuery's API that reads tables, version 2, and the token endpoint of
 * Google. It runs queries on its rows, and refuses what BigQuery refuses.
 *
 * @example
 * await using server = await startBigqueryServer({ account, project: 'almanac-tests', tables: [TRIPS] });
 */
export async function startBigqueryServer(options: BigqueryServerOptions): Promise<BigqueryServer> {
  const { clock = Date.now, project, tables, pageRows = MAX_PAGE_ROWS } = options;
  const requests: BigqueryRequest[] = [];
  const script: BigqueryServer['script'] = { token: [], table: [], query: [], results: [], cancel: [], other: [] };
  const jobs = new Map<string, Job>();
  const jobsByRequest = new Map<string, Job>();
  let endpoint: ReturnType<typeof createTokenEndpoint>;

  const isRunning = (job: Job) =>
    job.isHeld && server.isHeld && !job.isCanceled && Date.now() < job.startedAt + job.timeoutMs;

  function answer(request: BigqueryRequest, { headers }: IncomingMessage): unknown {
    if (request.kind === 'token') return endpoint.grant(request.body);
    const scopes = endpoint.scopesOf(headers.authorization);
    const allowed = request.kind === 'cancel' ? CANCEL_SCOPES : READ_SCOPES;
    if (!scopes.some((scope) => allowed.includes(scope))) {
      throw new ErrorReply(403, 'forbidden', 'Request had insufficient authentication scopes.');
    }
    const [of = '', kind, first = '', ...rest] = request.path.split('/').slice(4).map(decodeURIComponent);
    if (request.kind === 'table') return describeTable(tables, { project: of, dataset: first, table: rest[1] ?? '' });
    if (request.kind === 'other') throw new ErrorReply(404, 'notFound', 'Not Found');
    if (of !== project) throw new ErrorReply(404, 'notFound', `Not found: Project ${of}`);
    if (request.kind === 'query') return query(request.body);
    const job = jobs.get(first);
    const { location = 'US' } = request.query;
    if (job === undefined || job.location !== location) {
      throw new ErrorReply(404, 'notFound', `Not found: Job ${of}:${location}.${first}`);
    }
    if (kind === 'jobs') {
      if (request.body !== '') throw new ErrorReply(400, 'badRequest', 'The request body must be empty.');
      job.isCanceled = true;
      return { kind: 'bigquery#jobCancelResponse', job: { jobReference: referenceOf(job) } };
    }
    return page(job, request.query);
  }

  const referenceOf = ({ id, location }: Job) => ({ projectId: project, jobId: id, location });

  function query(body: unknown): unknown {
    const started = startQuery(tables, body);
    const { request, location, rows, bytes } = started;
    const kind = 'bigquery#queryResponse';
    if (request.dryRun === true) {
      const jobReference = { projectId: project, location };
      return {
        kind,
        schema: SCHEMA,
        jobReference,
        totalBytesProcessed: String(bytes),
        jobComplete: true,
        cacheHit: false,
      };
    }
    const requestId = String(request.requestId ?? randomUUID());
    const job = jobsByRequest.get(requestId) ?? {
      id: `job_${randomUUID().replaceAll('-', '_')}`,
      location,
      rows,
      bytes,
      startedAt: Date.now(),
      timeoutMs: Number(request.jobTimeoutMs ?? Number.POSITIVE_INFINITY),
      isHeld: server.isHeld,
      isCanceled: false,
    };
    jobs.set(job.id, job);
    jobsByRequest.set(requestId, job);
    return { ...(page(job, { maxResults: String(request.maxResults ?? MAX_PAGE_ROWS) }) as object), kind };
  }

  function page(job: Job, { maxResults = String(MAX_PAGE_ROWS), pageToken }: Record<string, string>): unknown {
    const reply = { kind: 'bigquery#getQueryResultsResponse', jobReference: referenceOf(job) };
    if (isRunning(job)) return { ...reply, jobComplete: false };
    if (job.isCanceled) throw new ErrorReply(499, 'stopped', 'User requested cancellation');
    const from = pageToken === undefined ? 0 : Number(/^page-(\d+)$/.exec(pageToken)?.[1] ?? Number.NaN);
    if (!(from <= job.rows.length)) throw new ErrorReply(400, 'invalid', 'Invalid page token.');
    const to = Math.min(job.rows.length, from + Math.min(pageRows, Number(maxResults)));
    return {
      ...reply,
      schema: SCHEMA,
      totalRows: String(job.rows.length),
      ...(to < job.rows.length && { pageToken: `page-${to}` }),
      // An empty list is left out.
      ...(to > from && { rows: job.rows.slice(from, to).map((cells) => ({ f: cells.map((v) => ({ v })) })) }),
      totalBytesProcessed: String(job.bytes),
      jobComplete: true,
      cacheHit: false,
    };
  }

  const http = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://loopback');
    const body = parseBody(await text(request));
    const received = { kind: kindOf(request.method, path), path, query: Object.fromEntries(searchParams), body };
    requests.push(received);
    const sendAnswer = () => {
      let reply: Reply;
      try {
        reply = sendJson(answer(received, request));
      } catch (error) {
        if (!(error instanceof ErrorReply)) throw error;
        reply = error.send;
      }
      reply(request, response, sendAnswer);
    };
    const scripted = script[received.kind].shift();
    if (scripted === undefined) sendAnswer();
    else scripted(request, response, sendAnswer);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const tokenUri = `${url}/token`;
  endpoint = createTokenEndpoint(options.account, tokenUri, clock);
  const server: BigqueryServer = {
    url,
    tokenUri,
    requests,
    script,
    isHeld: false,
    countRunning: () => [...jobs.values()].filter(isRunning).length,
    revokeTokens: endpoint.revoke,
    issued: endpoint.issued,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const PROJECT = '/bigquery/v2/projects/[^/]+';
const PATHS: readonly (readonly [kind: RequestKind, method: string, path: RegExp])[] = [
  ['token', 'POST', /^\/token$/],
  ['table', 'GET', new RegExp(`^${PROJECT}/datasets/[^/]+/tables/[^/]+$`)],
  ['query', 'POST', new RegExp(`^${PROJECT}/queries$`)],
  ['results', 'GET', new RegExp(`^${PROJECT}/queries/[^/]+$`)],
  ['cancel', 'POST', new RegExp(`^${PROJECT}/jobs/[^/]+/cancel$`)],
];

function kindOf(method: string | undefined, path: string): RequestKind {
  return PATHS.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0] ?? 'other';
}
