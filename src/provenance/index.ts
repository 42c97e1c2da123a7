export { MAX_PROOF_SIZE } from './ambiguous-text.ts';
export {
  buildProofDocument,
  type CompletedForecast,
  contentId,
  type EmptyReceipt,
  emptyReceipt,
  type ForecastProof,
  PROOF_SCHEMA_VERSION,
  type ProofInput,
} from './forecast-proof.ts';
export { provenanceMigrations } from './migrations/index.ts';
export { type ReceiptView, readReceipt, readReceipts } from './receipts/read-receipts.ts';
export { recordStamps, type Stamp } from './receipts/record-stamps.ts';
export {
  isSelected,
  type NewProof,
  type ProofAudience,
  requestStamps,
  STAMP_SELECTIONS,
  type StampPolicy,
  type StampSelection,
} from './receipts/request-stamp.ts';
export type { ProofKind, WaitCode } from './receipts/tables.ts';
export { markWaiting, type TakenProof, takeWaitingProofs } from './receipts/waiting-proofs.ts';
export type { RoundOptions, StampContext, Stamper, StampRound } from './stamping/stamper.ts';
export { type Verdict, verifyProof } from './verify-proof.ts';
