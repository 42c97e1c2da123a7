import { z } from 'zod';
import { TimestampReceipt } from './forecast-result.ts';

/** A proof with its receipt. Saved as a file, it can be verified by anyone. */
export const ProofFile = z
  .strictObject({
    document: z.record(z.string(), z.unknown()).describe('The canonical document.'),
    content_cid: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .describe(
        'The hash of the document as canonical JSON (RFC 8785). The field `hash` of the document names the hash.',
      ),
    provenance: TimestampReceipt,
  })
  .meta({ id: 'ProofFile' });
