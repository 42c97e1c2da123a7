import { type CallLimits, malformed, type ProviderClient, ProviderError, readRecord } from '../../../platform/index.ts';
import type { BuiltQuery } from '../build-query.ts';
import { PUBLIC_PROJECT } from '../table-name.ts';
import { type AccessTokens, BIGQUERY, SCHEME } from './access-token.ts';
import { type BigqueryTable, readCount, readTable, type TableId } from './bigquery-table.ts';
import { encodeParameter } from './query-parameters.ts';

/** The access to BigQuery. */
export interface BigquerySession {
  /** The base address, such as https://bigquery.googleapis.com. */
  readonly url: string;
  /** The project that pays for the queries. */
  readonly project: string;
  readonly tokens: AccessTokens;
  readonly connect: (limits?: CallLimits) => ProviderClient;
}

/** A query and the location of its data set. */
export interface LocatedQuery {
  readonly built: BuiltQuery;
  readonly location: string;
}

const MAX_METADATA_BYTES = 16 * 1024 * 1024;

/** Returns the address of a resource below a project. */
export function addressOf({ url }: BigquerySession, project: string, ...path: readonly string[]): string {
  return [`${url}/bigquery/v2/projects`, ...[project, ...path].map(encodeURIComponent)].join('/');
}

/** Returns the metadata of a table; null if there is none. */
export async function requestTable(
  session: BigquerySession,
  id: TableId,
  signal?: AbortSignal,
): Promise<BigqueryTable | null> {
  const address = addressOf(session, PUBLIC_PROJECT, 'datasets', id.dataset, 'tables', id.table);
  const http = session.connect({ signal });
  const options = { maxBytes: MAX_METADATA_BYTES };
  try {
    return await session.tokens.call('read', signal, (headers) => {
      const accept = (reply: unknown) => {
        const table = readTable(id, reply);
        // Texts that a reply contains are stored and shown.
        if (JSON.stringify(table).includes(headers.authorization.slice(SCHEME.length)))
          throw malformed(BIGQUERY, 'the token');
        return table;
      };
      return http.getJson(address, { ...options, headers, accept });
    });
  } catch (error) {
    if (error instanceof ProviderError && error.fault === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Returns the bytes that a query would read. BigQuery neither runs it nor bills it. */
export async function requestDryRun(
  session: BigquerySession,
  query: LocatedQuery,
  signal?: AbortSignal,
): Promise<number> {
  const http = session.connect({ signal });
  // A result that is in the cache would be estimated at zero bytes.
  const body = { ...describeQuery(query), dryRun: true, useQueryCache: false };
  const accept = (reply: unknown) => {
    const bytes = readCount(readRecord(BIGQUERY, reply).totalBytesProcessed, 'a number of bytes');
    if (bytes === null) throw malformed(BIGQUERY, 'a number of bytes');
    return bytes;
  };
  return session.tokens.call('read', signal, (headers) =>
    http.postJson(addressOf(session, session.project, 'queries'), body, { headers, isIdempotent: true, accept }),
  );
}

/** Returns the fields of a request that states a query. */
export function describeQuery({ built, location }: LocatedQuery): Readonly<Record<string, unknown>> {
  return {
    query: built.sql,
    useLegacySql: false,
    ...(built.parameters.length > 0 && {
      parameterMode: 'NAMED',
      queryParameters: built.parameters.map(encodeParameter),
    }),
    location,
  };
}
