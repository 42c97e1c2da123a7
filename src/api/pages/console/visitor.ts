import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, type Principal } from '../../../access/index.ts';
import { type Operation, type OperationId, operations } from '../../../contract/index.ts';
import { networkOf } from '../../limits/network.ts';
import { OperationCaller, type OperationInput } from '../../operation-caller.ts';
import type { ApiParts } from '../../parts.ts';

/**
 * The visitor of a console page. A page reads and changes data only through the operations of the contract, with the
 * rights of its visitor.
 */
export class Visitor extends OperationCaller {
  #isPassing = false;

  /** @param principal the caller, if it is not the one that the request was admitted for */
  constructor(
    parts: ApiParts,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal = request.principal ?? ANONYMOUS,
  ) {
    super(parts, request, reply, principal);
  }

  /** Whether the browser has neither a session nor a guest session. */
  get isNewcomer(): boolean {
    return this.#isPassing || this.principal.kind === 'anonymous';
  }

  /**
   * Gives a visitor without an identity the rights of a guest for this page, without making a guest session: a page that
   * is only looked at stores nothing. All such visitors of a network share the limits of one guest.
   */
  lookAsGuest(): void {
    if (this.principal.kind !== 'anonymous') return;
    this.#isPassing = true;
    this.principal = { kind: 'guest', guestId: `passing:${networkOf(this.request.ip)}` };
  }

  /**
   * Makes a visitor without an identity a guest, before the first search, download or forecast. A browser that only checks
   * or prepares an address does not become one.
   */
  async becomeGuest(): Promise<void> {
    if (this.principal.kind !== 'anonymous' && !this.#isPassing) return;
    if (isOnlyPreparing(this.request)) return this.lookAsGuest();
    const { guest_id: guestId } = await this.call('createGuestSession');
    this.#isPassing = false;
    this.principal = { kind: 'guest', guestId };
  }

  protected override async run(id: OperationId, input: OperationInput): Promise<unknown> {
    if (this.#isPassing && !isForPassing(id, operations[id])) {
      throw new Error(`${id} is not for visitors that only look.`);
    }
    return super.run(id, input);
  }
}

/** Returns whether an operation stores nothing for its caller. */
function isForPassing(id: OperationId, { action }: Operation): boolean {
  const isReading = action.endsWith('.read') || action === 'forecast.list';
  return isReading || id === 'estimateForecast' || id === 'createGuestSession';
}

/** Returns whether the browser does not show the page yet: it asks for the headers only, or loads it in advance. */
function isOnlyPreparing({ method, headers }: FastifyRequest): boolean {
  return method === 'HEAD' || String(headers['sec-purpose'] ?? '').includes('prefetch');
}
