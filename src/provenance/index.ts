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
export { type Verdict, verifyProof } from './verify-proof.ts';
