import { contentId } from './content-ids.ts';

/** A document of any kind. */
interface NamedDocument {
  readonly forecast_id: string;
  readonly revision?: number;
}

/**
 * Checks that a document which was built again from stored rows is the one that got this id. Throws an error otherwise,
 * so that the service never returns a proof that does not verify.
 */
export function requireSameContent(document: NamedDocument, contentCid: string): void {
  const found = findContentId(document);
  if (found === contentCid) return;
  throw new Error(
    `The stored rows of ${describe(document)} have changed: its document has the id ${found} instead of ${contentCid}.`,
  );
}

function findContentId(document: NamedDocument): string {
  try {
    return contentId(document);
  } catch (cause) {
    throw new Error(`The stored rows of ${describe(document)} have changed: its document has no id.`, { cause });
  }
}

function describe({ forecast_id, revision }: NamedDocument): string {
  return revision === undefined ? `the forecast ${forecast_id}` : `revision ${revision} of the forecast ${forecast_id}`;
}
