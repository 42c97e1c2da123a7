export { admit, leave, takenSlots } from './admission.ts';
export { checkLedger, isSound, type LedgerReport } from './check-ledger.ts';
export { countCredits } from './count-credits.ts';
export { type CallerLimits, limitsOf } from './limits.ts';
export { monthOf } from './month.ts';
export { enterNetwork, leaveNetwork, NETWORK_SLOTS } from './network-slots.ts';
export { type Reservation, reserve } from './reserve.ts';
export { capture, release, type Settlement } from './settle.ts';
export { type Usage, usageOf } from './usage.ts';
