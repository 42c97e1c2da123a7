import type { Fault } from '../../../contract/index.ts';
import { ProviderError, type ProviderFault } from '../../../platform/index.ts';
import { providerFailed, UnusableReply } from '../../faults.ts';
import { MAX_READ_BYTES } from '../engine.ts';
import { tableNotFound } from '../faults.ts';
import { BIGQUERY } from './access-token.ts';
import type { BigqueryTable } from './bigquery-table.ts';
import { accessDenied, billingProjectNotFound, billTooLarge, queryRejected } from './faults.ts';

/** The reasons of errors that are distinguished. BigQuery sends several of them with the same status. */
const REASONS = [
  'bytesBilledLimitExceeded',
  'rateLimitExceeded',
  'quotaExceeded',
  'jobRateLimitExceeded',
  'invalidQuery',
  'jobBackendError',
  'jobInternalError',
  'stopped',
  'timeout',
] as const;
type Reason = (typeof REASONS)[number];

/** Faults of replies that the same request would get again. */
const LASTING: readonly ProviderFault[] = ['MALFORMED', 'TOO_LARGE', 'REJECTED', 'PAGE_LOOP'];

/** Returns the fault for an error of BigQuery while the metadata of a table are read. The error is its cause. */
export function toMetadataFault(error: ProviderError): Fault {
  return withCause(findMetadataFault(error), error);
}

/** Returns the fault for an error of BigQuery while a query is run, or dry-run. The error is its cause. */
export function toQueryFault(error: ProviderError, table: BigqueryTable): Fault {
  return withCause(findQueryFault(error, table), error);
}

function withCause(fault: Fault, cause: ProviderError): Fault {
  fault.cause = cause;
  return fault;
}

function findMetadataFault(error: ProviderError): Fault {
  switch (reasonOf(error)) {
    case 'rateLimitExceeded':
    case 'quotaExceeded':
    case 'jobRateLimitExceeded':
      return providerFailed(new ProviderError(BIGQUERY, 'RATE_LIMITED').message);
    case 'jobBackendError':
    case 'jobInternalError':
      return providerFailed(new ProviderError(BIGQUERY, 'UNAVAILABLE').message);
    case 'stopped':
    case 'timeout':
      return providerFailed(new ProviderError(BIGQUERY, 'TIMEOUT').message);
    default:
      if (error.fault === 'FORBIDDEN') return accessDenied();
      return LASTING.includes(error.fault) ? new UnusableReply(error.message) : providerFailed(error.message);
  }
}

function findQueryFault(error: ProviderError, table: BigqueryTable): Fault {
  if (error.fault === 'NOT_FOUND') {
    return error.replyIncludes('Not found: Project') ? billingProjectNotFound() : tableNotFound(table.name);
  }
  const reason = reasonOf(error);
  if (reason === 'bytesBilledLimitExceeded') return billTooLarge(MAX_READ_BYTES);
  if (reason === 'invalidQuery') return queryRejected(table.requiresPartitionFilter);
  return findMetadataFault(error);
}

/**
 * Returns the reason that a reply states. The quotes show that it is not a part of a message, in which quotes are
 * escaped.
 */
function reasonOf(error: ProviderError): Reason | undefined {
  return REASONS.find(
    (reason) => error.replyIncludes(`"reason": "${reason}"`) || error.replyIncludes(`"reason":"${reason}"`),
  );
}
