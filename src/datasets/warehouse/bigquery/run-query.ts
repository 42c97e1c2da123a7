import { randomUUID } from 'node:crypto';
import {
  malformed,
  type ProviderClient,
  ProviderError,
  readRecord,
  type Sleep,
  sleepUnlessAborted,
  waitUnlessAborted,
} from '../../../platform/index.ts';
import { MAX_READ_BYTES, type RawRows, type WarehouseQuery } from '../engine.ts';
import { BIGQUERY } from './access-token.ts';
import { addressOf, type BigquerySession, describeQuery, type LocatedQuery } from './bigquery-client.ts';
import { type ResultPage, ResultPages } from './result-pages.ts';

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time limit of the whole read. */
  readonly deadlineMs: number;
  readonly sleep?: Sleep | undefined;
  /** Called when the job is known. It can then be billed, whatever happens to the read. */
  readonly onStarted?: (() => void) | undefined;
  /** Waits for work that continues after the read has failed. */
  readonly inBackground: (work: Promise<void>) => void;
}

/** How long BigQuery waits for a job before it replies that the job has not completed. */
const WAIT_MS = 10_000;
const ATTEMPT_MS = 2 * WAIT_MS;
const CANCEL_MS = 10_000;
/** The rows of a page, which has at most 10 MB. */
const PAGE_ROWS = 25_000;
/** BigQuery waits itself. These pauses are for replies that come too early. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const MAX_POLLS = 60;

/** What is known about the job of a query. */
interface Job {
  id: string | null;
  hasCompleted: boolean;
}

/**
 * Runs a query and returns its rows. If the caller aborts, the deadline passes or a reply is invalid, the job is
 * canceled in the background.
 */
export async function runQuery(
  session: BigquerySession,
  located: LocatedQuery,
  query: WarehouseQuery,
  { signal, deadlineMs, sleep, onStarted, inBackground }: RunOptions,
): Promise<RawRows> {
  const http = session.connect({ signal, totalMs: deadlineMs, attemptMs: ATTEMPT_MS });
  const job: Job = { id: null, hasCompleted: false };
  const pages = new ResultPages(query);
  const accept = (reply: unknown) => {
    const isFirst = job.id === null;
    try {
      return readResult(session, job, pages, reply);
    } finally {
      if (isFirst && job.id !== null) onStarted?.();
    }
  };
  const start = startJob(session, located, http, { accept, deadlineMs, signal });
  try {
    let page = await waitUnlessAborted(start, signal);
    for (let polls = 0; page === null; polls++) {
      if (polls === MAX_POLLS) throw new ProviderError(BIGQUERY, 'TIMEOUT');
      const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (polls - 1));
      if (polls > 0) await sleepUnlessAborted(pause, signal, sleep);
      page = await requestPage(session, located, http, { job, accept, signal, token: null });
    }
    for (;;) {
      pages.add(page);
      if (page.nextToken === null) return pages.rows();
      page = await requestPage(session, located, http, { job, accept, signal, token: page.nextToken });
      if (page === null) throw malformed(BIGQUERY, 'a job that is not complete');
    }
  } catch (error) {
    inBackground(endJob(session, located, job, start));
    throw error;
  }
}

interface StartOptions {
  readonly accept: (reply: unknown) => ResultPage | null;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Starts a job. The request completes even if the caller aborts, because only its reply names the job. */
async function startJob(
  session: BigquerySession,
  located: LocatedQuery,
  http: ProviderClient,
  { accept, deadlineMs, signal }: StartOptions,
): Promise<ResultPage | null> {
  const body = {
    ...describeQuery(located),
    // All attempts are one query.
    requestId: randomUUID(),
    maximumBytesBilled: String(MAX_READ_BYTES),
    timeoutMs: Math.min(WAIT_MS, deadlineMs),
    // Ends the job of a process that was killed, and of a reply that did not arrive.
    jobTimeoutMs: String(deadlineMs),
    maxResults: PAGE_ROWS,
    useQueryCache: true,
  };
  const options = { isIdempotent: true, survivesAbort: true, accept };
  const address = addressOf(session, session.project, 'queries');
  return session.tokens.call('read', signal, (headers) => http.postJson(address, body, { ...options, headers }));
}

interface PageOptions extends Pick<StartOptions, 'accept' | 'signal'> {
  readonly job: Job;
  readonly token: string | null;
}

async function requestPage(
  session: BigquerySession,
  { location }: LocatedQuery,
  http: ProviderClient,
  { job, accept, signal, token }: PageOptions,
): Promise<ResultPage | null> {
  if (job.id === null) throw malformed(BIGQUERY, 'a job without an id');
  const query = new URLSearchParams({
    location,
    maxResults: String(PAGE_ROWS),
    timeoutMs: String(WAIT_MS),
    ...(token !== null && { pageToken: token }),
  });
  const address = `${addressOf(session, session.project, 'queries', job.id)}?${query}`;
  try {
    return await session.tokens.call('read', signal, (headers) => http.getJson(address, { headers, accept }));
  } catch (error) {
    // The table was found before.
    const isJobMissing = error instanceof ProviderError && error.fault === 'NOT_FOUND';
    throw isJobMissing ? malformed(BIGQUERY, 'a job that does not exist') : error;
  }
}

/** Reads a page; null if the job has not completed. Records the job first, so that it can be canceled. */
function readResult(session: BigquerySession, job: Job, pages: ResultPages, reply: unknown): ResultPage | null {
  const { jobReference, jobComplete } = readRecord(BIGQUERY, reply);
  const { projectId, jobId } = readRecord(BIGQUERY, jobReference);
  const isJobId = typeof jobId === 'string' && /^[A-Za-z0-9_-]{1,1024}$/.test(jobId);
  if (!isJobId || projectId !== session.project) throw malformed(BIGQUERY, 'a job');
  if (job.id !== null && job.id !== jobId) throw malformed(BIGQUERY, 'another job');
  job.id = jobId;
  if (typeof jobComplete !== 'boolean') throw malformed(BIGQUERY, 'the state of a job');
  if (!jobComplete) return null;
  job.hasCompleted = true;
  return pages.read(reply);
}

/** Cancels a job that has not completed. If that fails, the job ends with its own time limit. */
async function endJob(
  session: BigquerySession,
  { location }: LocatedQuery,
  job: Job,
  start: Promise<unknown>,
): Promise<void> {
  await start.catch(() => {});
  if (job.id === null || job.hasCompleted) return;
  const query = new URLSearchParams({ location });
  const address = `${addressOf(session, session.project, 'jobs', job.id, 'cancel')}?${query}`;
  const http = session.connect({ totalMs: CANCEL_MS });
  try {
    await session.tokens.call('cancel', undefined, (headers) =>
      http.postForm(address, {}, { headers, isIdempotent: true }),
    );
  } catch {
    // The caller of the read already has its error.
  }
}
