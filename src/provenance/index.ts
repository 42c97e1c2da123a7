export { MAX_PROOF_SIZE } from './ambiguous-text.ts';
export { contentId } from './content-id.ts';
export {
  type CompletedForecast,
  type ForecastProof,
  PROOF_SCHEMA_VERSION,
  type ProofInput,
  proofDocument,
} from './forecast-proof.ts';
export { type EmptyReceipt, emptyReceipt } from './receipt.ts';
export { type Verdict, verifyProof } from './verify-proof.ts';
