import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';

/** The receipt of a proof if no chain is configured. */
export interface EmptyReceipt {
  readonly provider: 'vbase';
  readonly schema_version: typeof PROOF_SCHEMA_VERSION;
  readonly status: 'unavailable';
  readonly content_cid: string | null;
  readonly receipt: null;
  readonly error_code: 'CHAIN_NOT_CONFIGURED';
}

export function emptyReceipt(contentCid: string | null): EmptyReceipt {
  return {
    provider: 'vbase',
    schema_version: PROOF_SCHEMA_VERSION,
    status: 'unavailable',
    content_cid: contentCid,
    receipt: null,
    error_code: 'CHAIN_NOT_CONFIGURED',
  };
}
