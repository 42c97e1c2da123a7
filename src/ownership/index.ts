export type { OwnershipContext } from './context.ts';
export { type ErasedAccount, type Erasure, eraseAccount, type RemovedCounts } from './erase-account.ts';
export { accountGone } from './faults.ts';
export { listOwned, type OwnedItems, type Ownership, REMOVED_KINDS, type RemovedKind } from './list-owned.ts';
