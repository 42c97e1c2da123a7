import { Fault } from '../../../contract/index.ts';
import { HOW_TO_READ_LESS } from '../faults.ts';

/** @param limit the most bytes that a read may be billed for */
export function billTooLarge(limit: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source: BigQuery would bill this read for more than ${limit.toLocaleString('en-US')} bytes, which is the limit. ${HOW_TO_READ_LESS}`,
  );
}

/** @param requiresPartitionFilter whether the table can be read only in parts */
export function queryRejected(requiresPartitionFilter: boolean): Fault {
  const remedy = requiresPartitionFilter
    ? 'The table can be read only in parts: set start or end, with the column by which it is partitioned as time_field, or add a filter on that column.'
    : 'Choose other columns, filters or another aggregate.';
  return new Fault('UNPROCESSABLE', `source: BigQuery cannot run this read. ${remedy}`);
}

export function accessDenied(): Fault {
  return new Fault(
    'PROVIDER_FAILED',
    'bigquery denied access: the service account of this service lacks permission, or the table does not exist. The service account needs the role BigQuery Job User in the project of ALMANAC_BIGQUERY_PROJECT, which needs billing.',
  );
}

export function billingProjectNotFound(): Fault {
  return new Fault(
    'PROVIDER_FAILED',
    'bigquery does not find the project that pays for this read. Its name is the setting ALMANAC_BIGQUERY_PROJECT of this service.',
  );
}

export function readsUsedUp(max: number, freeAt: Date, retryAfter: number): Fault {
  return new Fault(
    'RATE_LIMITED',
    `source.table: an account can read tables of bigquery-public-data ${max} times in an hour. Your next read is possible at ${freeAt.toISOString()}.`,
    { retryAfter },
  );
}

export function dayUsedUp(
  { needed, left, limit }: { readonly needed: number; readonly left: number; readonly limit: number },
  freeAt: Date,
  retryAfter: number,
): Fault {
  return new Fault(
    'RATE_LIMITED',
    `source.table: all accounts together can read ${limit} MiB of tables of bigquery-public-data in a day. This read needs ${needed} MiB, and ${left} MiB are left until ${freeAt.toISOString()}.`,
    { retryAfter },
  );
}

export function readAboveDayLimit(needed: number, limit: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.table: this read needs ${needed} MiB, but all accounts together can read ${limit} MiB of tables of bigquery-public-data in a day. Name fewer columns, or add start, end or filters.`,
  );
}

export function serviceStopping(): Fault {
  return new Fault('UNAVAILABLE', 'The service is stopping. Try again shortly.', { retryAfter: 5 });
}
