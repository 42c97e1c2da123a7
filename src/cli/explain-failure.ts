import type { AlmanacError } from '../../client/src/index.ts';
import { Fault } from '../contract/index.ts';
import { UsageError } from './command.ts';
import { CommandFailure, EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { keyNeeded } from './failures.ts';

/** The options in whose place a message of the service names a field. */
const OPTIONS: Readonly<Record<string, string>> = {
  'source.time_field': '--time',
  'source.value_field': '--value',
  'source.dimensions': '--dimension',
  'source.timeframe': '--timeframe',
  horizon: '--horizon',
  frequency: '--frequency',
  models: '--models',
  quantiles: '--quantiles',
  cutoff: '--cutoff',
  limit: '--rows',
  seed: '--seed',
};

const REFUSED = ['UnauthenticatedError', 'DeniedError', 'LimitedError'];
const UNREACHABLE = ['ConnectionError', 'TimeoutError', 'UnexpectedReplyError', 'ServiceError'];
const UNUSABLE = ['InvalidRequestError', 'NotFoundError', 'ConflictError'];

const INPUT_CODES = ['INVALID_REQUEST', 'UNPROCESSABLE', 'INSUFFICIENT_HISTORY', 'NOT_FOUND', 'TOO_LARGE'];

interface FailedCommand {
  /** The name of what the command read, such as a path. */
  readonly subject: string;
  /** The service that was used, if any. */
  readonly service?: { readonly url: string; readonly hasKey: boolean } | null;
}

/** Returns the failure of a command, in words of the command line. Returns other errors unchanged. */
export function explainFailure(error: unknown, { subject, service }: FailedCommand): unknown {
  if (error instanceof CommandFailure || error instanceof UsageError || !(error instanceof Error)) return error;
  if (error instanceof Fault) {
    const isInput = INPUT_CODES.includes(error.code);
    const code = isInput ? EXIT_CODES.input : error.status === 403 ? EXIT_CODES.refused : EXIT_CODES.failed;
    return failure(code, nameOptions(error.message, subject), error);
  }
  // The engine's own reason, such as that every model failed.
  if (error.name === 'ForecastError') return failure(EXIT_CODES.failed, nameOptions(error.message, subject), error);
  if (isClientError(error)) return explainReply(error, subject, service);
  return error;
}

function explainReply(error: AlmanacError, subject: string, service: FailedCommand['service']): CommandFailure {
  const { name, requestId } = error;
  if (service && !service.hasKey && name === 'UnauthenticatedError') return keyNeeded(service.url);
  const place = service ? `${service.url}: ` : '';
  const trace = requestId === null || name === 'NotFoundError' ? '' : ` (request ${requestId})`;
  if (UNREACHABLE.includes(name)) {
    const remedy = service ? ' Check --server and whether the service runs.' : '';
    return failure(EXIT_CODES.unreachable, `${place}${describeCause(error)}${trace}${remedy}`, error);
  }
  if (REFUSED.includes(name)) {
    const remedy = name === 'UnauthenticatedError' ? ' Check --key or ALMANAC_KEY.' : '';
    return failure(EXIT_CODES.refused, `${place}${nameOptions(error.message, subject)}${remedy}${trace}`, error);
  }
  const code = UNUSABLE.includes(name) ? EXIT_CODES.input : EXIT_CODES.failed;
  return failure(code, `${nameOptions(error.message, subject)}${trace}`, error);
}

/** A connection that fails has its reason in its cause. */
function describeCause({ message, cause }: AlmanacError): string {
  const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as NodeJS.ErrnoException;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** Replaces the field that a message begins with by its option, or by the name of what was read. */
export function nameOptions(message: string, subject: string): string {
  const [, field = '', rest = ''] = /^(line \d+|[a-z_]+(?:\.[\w-]+|\[\d+\])*): (.*)$/s.exec(message) ?? [];
  const text = rest.replaceAll(/\b(Set|Omit) frequency\b/g, '$1 --frequency');
  if (field.startsWith('line ')) {
    const remedy = /^there (?:is|are) \d+ cells?, but/.test(rest)
      ? ' Correct the line; cells that contain the delimiter need quotes.'
      : '';
    return `${subject}: ${field}: ${rest}${remedy}`;
  }
  const known = Object.keys(OPTIONS).find(
    (one) => field === one || field.startsWith(`${one}.`) || field.startsWith(`${one}[`),
  );
  if (known !== undefined) return `${OPTIONS[known]}: ${text}`;
  return field === 'source' || field.startsWith('source.') ? `${subject}: ${text}` : message;
}

function failure(code: ExitCode, message: string, cause: Error): CommandFailure {
  return new CommandFailure(code, message, { cause });
}

/** The classes of the client are compared by their names, so that it is loaded only by commands that use a service. */
function isClientError(error: Error): error is AlmanacError {
  return 'operation' in error && 'attempts' in error;
}
