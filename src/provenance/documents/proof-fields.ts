import { z } from 'zod';
import { PROOF_HASH } from './content-ids.ts';

// The fields that the documents of all kinds share.

/** Returns the schema of an instant in UTC. */
export const instant = () => z.iso.datetime();

/** Returns the schema of the name of the document's hash. */
export const hashName = () => z.literal(PROOF_HASH);

/** Returns the schema of the random bytes of a document. */
export const salt = () => z.string().regex(/^[0-9a-f]{64}$/, 'is not 64 hexadecimal digits');
