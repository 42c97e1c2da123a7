import type { Account, Guest, Principal } from '../access/index.ts';

/** Who has made a forecast, or has saved it. Who pays for it is another question: see `chargeFor`. */
export interface Owner {
  /** The account's id, or the guest's. */
  readonly id: string;
  readonly accountId: string | null;
  readonly guestId: string | null;
}

export function ownerOf(principal: Account | Guest): Owner {
  return principal.kind === 'account'
    ? { id: principal.accountId, accountId: principal.accountId, guestId: null }
    : { id: principal.guestId, accountId: null, guestId: principal.guestId };
}

/** A caller of an operation that needs to know who it is. */
export function knownCaller(principal: Principal): Account | Guest {
  if (principal.kind === 'anonymous') throw new Error('The policy let a caller without an identity through.');
  return principal;
}
