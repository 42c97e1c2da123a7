import type { IncomingHttpHeaders } from 'node:http';
import { type ServerStamp, sha3, VBASE_CHAIN_ID, type VbaseServer } from './vbase-server.ts';

export interface VbaseReply {
  readonly status: number;
  readonly body: unknown;
}

export interface VbaseRequest {
  /** The method and path. */
  readonly name: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const CID = /^0x[0-9a-f]{64}$/;
const refuse = (status: number, error: string, details = ''): VbaseReply => ({ status, body: { error, details } });

/** Handles a request as the published API describes it. Requests with unknown fields or wrong types are refused. */
export function handleVbaseRequest(server: VbaseServer, now: number, request: VbaseRequest): VbaseReply {
  if (request.headers.authorization !== `Bearer ${server.key}`) return refuse(401, 'Invalid token');
  if (request.name === 'GET /collections') return { status: 200, body: server.collections.map(viewCollection) };
  if (request.name === 'POST /collections') return createCollection(server, readJson(request));
  if (request.name === 'POST /stamps/verify') return verifyStamps(server, now, readJson(request));
  if (request.name === 'POST /stamps') return createStamp(server, now, readForm(request));
  return refuse(404, 'Not found');
}

function createCollection(server: VbaseServer, body: Record<string, unknown> | null): VbaseReply {
  if (body === null || !hasOnly(body, ['name', 'cid', 'description', 'is_pinned'])) return refuse(400, 'Invalid body');
  const { name, description = '' } = body;
  if (typeof name !== 'string' || name === '' || typeof description !== 'string') return refuse(400, 'Invalid name');
  const isTaken = server.collections.some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (isTaken) return refuse(409, 'Collection already exists');
  const created = { name, cid: sha3(name), description };
  server.collections.push(created);
  return { status: 201, body: viewCollection(created, server.collections.length - 1) };
}

function viewCollection(collection: object, id: number): object {
  const flags = { is_pinned: true, is_portfolio: false, is_portfolio_collection: false, is_public: true };
  return { id, ...collection, ...flags, created_at: '2026-01-01T00:00:00Z' };
}

const STAMP_FIELDS = [
  'file',
  'data',
  'file_name',
  'data_cid',
  'collection_cid',
  'collection_name',
  'store_stamped_file',
  'idempotent',
  'idempotency_window',
];

function createStamp(server: VbaseServer, now: number, form: Record<string, string> | null): VbaseReply {
  if (form === null || !hasOnly(form, STAMP_FIELDS)) return refuse(400, 'Invalid form');
  const { data_cid: objectCid = '', collection_cid: setCid = '', idempotent = '', idempotency_window = '' } = form;
  if (!CID.test(objectCid)) return refuse(400, 'Invalid data_cid');
  if (!server.collections.some(({ cid }) => cid === setCid)) return refuse(400, 'Collection CID is not registered');
  if (![idempotent, form.store_stamped_file].every((flag) => flag === 'true' || flag === 'false')) {
    return refuse(400, 'Not a boolean');
  }
  if (!/^[1-9]\d{0,8}$/.test(idempotency_window)) return refuse(400, 'Invalid idempotency_window');
  const since = now - Number(idempotency_window) * 1_000;
  const isSame = (stamp: ServerStamp) => stamp.objectCid === objectCid && stamp.setCid === setCid && stamp.at >= since;
  const earlier = idempotent === 'true' && server.isIdempotent ? server.stamps.find(isSame) : undefined;
  if (earlier) return { status: 200, body: { commitment_receipt: viewStamp(server, earlier, server.userAddress) } };
  const at = Math.floor(now / 1_000) * 1_000;
  const transactionHash = sha3(`transaction ${server.stamps.length} of ${objectCid}`);
  const stamp = { objectCid, setCid, transactionHash, at };
  server.stamps.push(stamp);
  return { status: 201, body: { commitment_receipt: viewStamp(server, stamp, server.userAddress), file_object: null } };
}

function verifyStamps(server: VbaseServer, now: number, body: Record<string, unknown> | null): VbaseReply {
  if (body === null || !hasOnly(body, ['cids', 'filter_by_user'])) return refuse(400, 'Invalid body');
  const { cids, filter_by_user: isFiltered = false } = body;
  const areCids = Array.isArray(cids) && cids.length > 0 && cids.every((cid) => CID.test(cid));
  if (!areCids || typeof isFiltered !== 'boolean') return refuse(400, 'Invalid cids');
  const found = server.stamps.filter(
    ({ objectCid, at }) => cids.includes(objectCid) && at + server.indexDelayMs <= now,
  );
  const user = server.accountName ?? server.userAddress;
  return {
    status: 200,
    body: { display_timezone: server.timezone, stamp_list: found.map((stamp) => viewStamp(server, stamp, user)) },
  };
}

function viewStamp(server: VbaseServer, stamp: ServerStamp, user: string): object {
  return {
    transaction_hash: stamp.transactionHash,
    user_address: user,
    set_cid: stamp.setCid,
    object_cid: stamp.objectCid,
    timestamp: server.formatTime(stamp.at),
    chain_id: VBASE_CHAIN_ID,
  };
}

function readJson({ headers, body }: VbaseRequest): Record<string, unknown> | null {
  return headers['content-type'] === 'application/json' ? JSON.parse(body.toString()) : null;
}

/** Parses a form of text fields (multipart/form-data). */
function readForm({ headers, body }: VbaseRequest): Record<string, string> | null {
  const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(headers['content-type'] ?? '')?.[1];
  const parts = body.toString().split(`--${boundary}`);
  if (boundary === undefined || parts.shift() !== '' || parts.pop() !== '--\r\n') return null;
  const fields = parts.map((part) => /^\r\nContent-Disposition: form-data; name="(\w+)"\r\n\r\n(.*)\r\n$/s.exec(part));
  return fields.includes(null) ? null : Object.fromEntries(fields.map((field) => [field?.[1], field?.[2]]));
}

function hasOnly(body: object, names: readonly string[]): boolean {
  return Object.keys(body).every((name) => names.includes(name));
}
