import { contentId } from './content-ids.ts';

/**
 * Returns a document that was rebuilt from stored rows if it still has the content id that was stored with them. Throws
 * otherwise: a proof that does not verify must not leave the service.
 */
export function requireSameContent<Document extends object>(
  document: Document,
  { subject, contentCid }: { readonly subject: string; readonly contentCid: string },
): Document {
  const found = contentId(document);
  if (found === contentCid) return document;
  throw new Error(`The proof of ${subject} has the content id ${found}, but ${contentCid} is stored with it.`);
}
