import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { EXAMPLE_REVISION } from '../../../test/support/forecasts/example-revision.ts';
import { buildEventRevisionProof, contentId, requireSameContent } from '../index.ts';

test('a document that differs from the stored id is refused with the name of its forecast', () => {
  const revision = buildEventRevisionProof(EXAMPLE_REVISION);
  requireSameContent(EXAMPLE_PROOF, contentId(EXAMPLE_PROOF));
  requireSameContent(revision, contentId(revision));
  const { forecast_id, ...others } = EXAMPLE_PROOF;
  assert.throws(
    () => requireSameContent({ ...others, forecast_id: `${forecast_id}0` }, contentId(EXAMPLE_PROOF)),
    new RegExp(`of the forecast ${forecast_id}0 have changed: its document has the id 0x`),
  );
  assert.throws(
    () => requireSameContent({ ...revision, probability: Number.NaN } as never, contentId(revision)),
    new RegExp(`of revision ${revision.revision} of the forecast ${revision.forecast_id} have changed: .* has no id`),
  );
});
