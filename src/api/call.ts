import type { Account, Principal } from '../access/index.ts';
import type { Input, Operation, OperationId, Operations, Output } from '../contract/index.ts';
import type { Attachment } from './attachment.ts';
import type { Download } from './download.ts';
import type { CookieJar } from './edge/cookies.ts';
import type { UploadBody } from './edge/upload-body.ts';
import type { EventStream } from './event-stream.ts';
import type { ApiParts } from './parts.ts';
import type { Versioned } from './versioned.ts';

/** One request as its handler sees it: authenticated, allowed and parsed. */
export interface Call<Op extends Operation> extends Input<Op> {
  readonly parts: ApiParts;
  readonly principal: Principal;
  readonly cookies: CookieJar;
  readonly userAgent: string | null;
  readonly address: string;
  /** The Idempotency-Key of a request that may be sent again. */
  readonly idempotencyKey: string | null;
  /** The Last-Event-ID of a client that reconnects to an event stream. */
  readonly lastEventId: string | null;
  /** The caller as it is by now, for answers that go on; null when it would no longer be let in as the same. */
  readonly principalNow: () => Promise<Principal | null>;
  /** Aborted when the client has gone away before its answer. */
  readonly signal: AbortSignal;
  /** The file that comes with the request. */
  readonly upload: Op extends { upload: object } ? UploadBody : UploadBody | undefined;
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<
  Op extends { stream: true }
    ? // Null: nothing more will come.
      EventStream | null
    : Op extends { attachment: 'always' }
      ? Attachment
      :
          | Output<Op>
          | (Op extends { attachment: true } ? Attachment | Download<Output<Op> & object> : never)
          | (Op extends { versioned: true } ? Versioned<Output<Op> & object> : never)
>;

/** One handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };

/** The account behind a call whose action admits accounts only. */
export function accountOf(call: { readonly principal: Principal }): Account {
  if (call.principal.kind !== 'account') throw new Error('The policy let a caller without an account through.');
  return call.principal;
}
