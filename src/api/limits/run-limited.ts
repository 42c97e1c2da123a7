import type { FastifyReply } from 'fastify';
import type { Operation } from '../../contract/index.ts';
import { runMetered } from '../../platform/index.ts';
import type { Call } from '../call.ts';
import type { RequestWork } from './refused-work.ts';
import { requestLimitsFor } from './request-limits.ts';

/** Returns whether a refused request of this operation can have cost work, which is then counted. */
export function canCostWork({ heavy, body, upload }: Operation): boolean {
  return (heavy ?? body ?? upload) !== undefined;
}

/** Runs the handler of an operation. A heavy one waits for its turn, and its work is counted. */
export function runLimited<Result>(
  { heavy }: Operation,
  { parts, principal, address, body, query }: Call<Operation>,
  { work, raw }: { readonly work: RequestWork | null; readonly raw: FastifyReply['raw'] },
  handle: () => Promise<Result>,
): Promise<Result> {
  if (heavy === undefined || work === null) return handle();
  const metered = () => runMetered(work, handle);
  // Without a file to read, the operation is not heavy.
  if (heavy === 'file_work' && !readsFile(body)) return handle();
  const [{ key: caller }] = requestLimitsFor(principal, address, parts.config);
  if (heavy !== 'transfer' && !(heavy === 'export_work' && sendsFile(query))) {
    return parts.heavyWork.run(caller, metered);
  }
  raw.once('close', parts.heavyWork.startTransfer(caller));
  return metered();
}

interface SourceBody {
  readonly source?: { readonly type?: unknown };
  readonly resolution_rule?: Pick<SourceBody, 'source'>;
}

function readsFile(body: unknown): boolean {
  const { source, resolution_rule: rule } = (body ?? {}) as SourceBody;
  return (source ?? rule?.source)?.type === 'workspace_csv';
}

function sendsFile(query: unknown): boolean {
  return (query as { readonly format?: unknown } | undefined)?.format === 'csv';
}
