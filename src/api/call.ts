import type { Account, Principal } from '../access/index.ts';
import type { Input, Operation, OperationId, Operations, Output } from '../contract/index.ts';
import type { CookieJar } from './edge/cookies.ts';
import type { UploadBody } from './edge/upload-body.ts';
import type { EventStream } from './event-stream.ts';
import type { RateLimitResult } from './limits/rate-limiter.ts';
import type { ApiParts } from './parts.ts';
import type { Download, RenderedBody, Versioned } from './responses.ts';

/** An authenticated, authorized and parsed request, as its handler receives it. */
export interface Call<Op extends Operation> extends Input<Op> {
  readonly parts: ApiParts;
  readonly principal: Principal;
  /** The state of the caller's rate limit after this request. */
  readonly rateLimit: RateLimitResult;
  readonly cookies: CookieJar;
  readonly userAgent: string | null;
  readonly address: string;
  /** The Idempotency-Key header. */
  readonly idempotencyKey: string | null;
  /** The If-Match header. */
  readonly ifMatch: string | null;
  /** The Last-Event-ID header of a client that reconnects to an event stream. */
  readonly lastEventId: string | null;
  /** Returns the current principal during a long response, or null if the request would no longer be admitted. */
  readonly reauthorize: () => Promise<Principal | null>;
  /** Aborted if the client disconnects before the response is sent. */
  readonly signal: AbortSignal;
  /** The uploaded file. */
  readonly upload: Op extends { upload: object } ? UploadBody : UploadBody | undefined;
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<
  Op extends { stream: true }
    ? // Null: there are no more events (204).
      EventStream | null
    : Op extends { attachment: 'always' }
      ? RenderedBody
      :
          | Output<Op>
          | (Op extends { attachment: true } ? RenderedBody | Download<Output<Op> & object> : never)
          | (Op extends { versioned: true } | { conditional: true } ? Versioned<Output<Op> & object> : never)
>;

/** One handler for each operation of the contract. The service does not compile if one is missing. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };

/** Returns the account of the caller. Use it only for actions that only accounts may take. */
export function accountOf(call: { readonly principal: Principal }): Account {
  if (call.principal.kind !== 'account') throw new Error('The policy admitted a caller without an account.');
  return call.principal;
}
