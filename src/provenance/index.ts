export type { ChainStamperOptions } from './chain/chain-round.ts';
export { deployCommitmentService } from './chain/deploy-contract.ts';
export { openChainStamper } from './chain/open-chain-stamper.ts';
export { readKeyFile } from './chain/read-key-file.ts';
export { MAX_PROOF_SIZE } from './documents/ambiguous-text.ts';
export { requireSameContent } from './documents/check-document.ts';
export { contentId, newSeal, PROOF_HASH, type ProofSeal, setCid } from './documents/content-ids.ts';
export {
  buildEventRevisionProof,
  type EventRevisionProof,
  type PublishedRevision,
} from './documents/event-revision-proof.ts';
export {
  buildProofDocument,
  type CompletedForecast,
  type ForecastProof,
  PROOF_SCHEMA_VERSION,
  type ProofInput,
} from './documents/forecast-proof.ts';
export { type Verdict, verifyProof } from './documents/verify-proof.ts';
export { provenanceMigrations } from './migrations/index.ts';
export { countProofs, countUnstamped, type ProofCounts } from './receipts/count-proofs.ts';
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
export { stampedBefore } from './receipts/stamped-before.ts';
export type { ProofKind, WaitCode } from './receipts/tables.ts';
export { markWaiting, type TakenProof, takeWaitingProofs } from './receipts/waiting-proofs.ts';
export { createStampRun, STAMP_QUEUE, startStampWorker } from './stamping/stamp-worker.ts';
export type { RoundOptions, StampContext, Stamper, StampRound } from './stamping/stamper.ts';
export { createVbaseStamper, type VbaseOptions } from './vbase/vbase-stamper.ts';
export { type ConfirmedStamp, StampMismatchError, verifyOnChain } from './verify/chain-commitment.ts';
export { type ChainNode, ChainNodeError, connectChainNode } from './verify/chain-node.ts';
export { type ChainOptions, type ProofReport, reportProof } from './verify/proof-report.ts';
