import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import type { ConsoleVisit } from '../visit.ts';
import { formatDuration } from './words.ts';

export type ServiceState = Output<Operations['readServiceState']>;
export type ProviderState = ServiceState['providers'][number];
export type QueueState = ServiceState['queues'][number];

/** What needs the attention of an operator, and what to do about it. */
export interface Trouble {
  readonly what: string;
  readonly remedy: string;
}

/** A worker looks after the queues every ten seconds; after this time none lives. */
const WORKER_AWAY_SECONDS = 90;
/** A job that is ready for longer has too few workers, or none. */
const LATE_SECONDS = 300;
const STAMP_LATE_SECONDS = 86_400;

/** The queues in words, by their stored names. */
const QUEUES: Readonly<Record<string, string>> = {
  forecasts: 'Forecasts',
  'forecasts-lost': 'Forecasts whose worker was lost',
  'forecast-outcomes': 'Outcomes of forecasts',
  mail: 'Emails',
  'scout-resolution': 'Resolution of questions',
  screener: 'Screener runs',
  stamping: 'Stamping of proofs',
  'market-days': 'Daily prices of all stocks',
  'market-listings': 'Lists of instruments',
  'economic-listings': 'Lists of economic series',
  housekeeping: 'Cleanup',
};

/** Returns what a queue is for. A queue without words is called by its name. */
export function describeQueue(name: string): string {
  return Object.hasOwn(QUEUES, name) ? (QUEUES[name] ?? name) : name;
}

/** Returns the queues in the order of the words above, so that those that people wait for come first. */
export function inOrder(queues: readonly QueueState[]): QueueState[] {
  const order = Object.keys(QUEUES);
  const placeOf = ({ name }: QueueState) => (order.includes(name) ? order.indexOf(name) : order.length);
  return queues.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns how long ago an instant was when the state was read, in seconds. */
export function ageOf({ at }: Pick<ServiceState, 'at'>, instant: string): number {
  return Math.max(0, (Date.parse(at) - Date.parse(instant)) / 1000);
}

export function isWorkerAway(state: Pick<ServiceState, 'at' | 'worker_seen_at'>): boolean {
  return state.worker_seen_at === null || ageOf(state, state.worker_seen_at) > WORKER_AWAY_SECONDS;
}

export function isLate({ waiting, oldest_seconds }: QueueState): boolean {
  return waiting > 0 && oldest_seconds > LATE_SECONDS;
}

/** Workers take over the forecasts of other versions within a minute, if they have that engine. */
const UNSERVED_SECONDS = 120;

/** Returns whether forecasts wait for an engine that no worker has. */
function isUnserved({ waiting, oldest_seconds, workers }: ServiceState['forecast_queues'][number]): boolean {
  return waiting > 0 && workers === 0 && oldest_seconds > UNSERVED_SECONDS;
}

/**
 * Returns whether a provider is set up but has got no request yet, so that no one knows whether it works. A bundled
 * provider needs no requests.
 */
export function isUntried(provider: ProviderState): boolean {
  return isSilent(provider) && provider.last_failure === null;
}

/** Returns whether every request to a provider has failed so far. One that is paused is a trouble of its own. */
export function hasOnlyFailed(provider: ProviderState): boolean {
  return isSilent(provider) && provider.last_failure !== null;
}

function isSilent({ configured, state, requests_left, last_success_at }: ProviderState): boolean {
  return configured && state !== 'open' && requests_left !== null && last_success_at === null;
}

/** Where the service runs, as far as its state depends on it. */
export type Site = Pick<ConsoleVisit, 'hasMailServer' | 'isLoopback'>;

/** Returns what needs attention, the most urgent first. An empty list means that nothing is known to fail. */
export function listTroubles(state: ServiceState, { hasMailServer, isLoopback }: Site): Trouble[] {
  const { database, queues, forecast_queues, providers, stamper, worker_seen_at } = state;
  const troubles: Trouble[] = [];
  if (database.problem !== null) {
    troubles.push({
      what: `The database accepts no changes: ${database.problem}.`,
      remedy: 'Free space on its disk. Reading still works.',
    });
  }
  if (isWorkerAway(state)) {
    const since =
      worker_seen_at === null ? 'has ever run' : `was seen for ${formatDuration(ageOf(state, worker_seen_at))}`;
    troubles.push({
      what: `No worker ${since}.`,
      remedy: 'Forecasts, emails and checks wait. Start the service, or a worker with “almanac worker”.',
    });
  }
  // People at the machine of the service find the log.
  if (!hasMailServer && !isLoopback) {
    troubles.push({
      what: 'No mail server is set up.',
      remedy:
        'Emails with links to sign up, to reset a password or to accept an invitation reach no one: they are in the log. Set ALMANAC_SMTP_URL.',
    });
  }
  for (const queue of queues.filter(isLate)) {
    troubles.push({
      what: `${describeQueue(queue.name)}: ${formatCount(queue.waiting, 'job')} ready, the oldest for ${formatDuration(queue.oldest_seconds)}.`,
      remedy: 'Start another worker, or read its log for errors.',
    });
  }
  for (const { engine, waiting } of isWorkerAway(state) ? [] : forecast_queues.filter(isUnserved)) {
    troubles.push({
      what: `${formatCount(waiting, 'forecast')} wait for ${engine === null ? 'a worker' : `engine ${engine}`}, and no worker has it.`,
      remedy: 'Start a worker of the build that created them, or of a newer build that has this engine.',
    });
  }
  for (const { id, last_failure } of providers.filter(({ configured, state }) => configured && state === 'open')) {
    troubles.push({
      what: `${id} failed repeatedly${last_failure === null ? '' : ` (${last_failure.fault})`} and gets no requests for now.`,
      remedy: describeCheck(id),
    });
  }
  for (const { id, last_failure } of providers.filter(hasOnlyFailed)) {
    troubles.push({
      what: `${id} has not answered any request so far (${last_failure?.fault}).`,
      remedy: describeCheck(id),
    });
  }
  const { oldest_unstamped_at } = stamper;
  if (stamper.kind !== null && oldest_unstamped_at !== null && ageOf(state, oldest_unstamped_at) > STAMP_LATE_SECONDS) {
    troubles.push({
      what: `${formatCount(stamper.pending + stamper.stamping, 'proof')} wait to be stamped, the oldest for ${formatDuration(ageOf(state, oldest_unstamped_at))}.`,
      remedy: 'The reasons are below, and “almanac proof status” has them as well.',
    });
  }
  return troubles;
}

function describeCheck(id: string): string {
  return `Run “almanac providers check ${id}” for the reason. Stored series still open.`;
}
