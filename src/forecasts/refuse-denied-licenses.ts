import { licenseDenied } from '../access/index.ts';
import { readAbout, requireLicense } from '../snapshots/index.ts';
import type { JobContext } from './context.ts';
import type { OriginalForecast } from './find-forecast.ts';

/** Refuses to run a forecast again whose models, or whose rows, are under a licence that is denied by now. */
export async function refuseDeniedLicenses(
  { database, checkpoints, licenses }: JobContext,
  original: OriginalForecast,
): Promise<void> {
  if (licenses.isOpen) return;
  for (const [model, name] of await checkpoints.licences(original.checkpoints)) {
    if (!licenses.allows(name)) throw licenseDenied(`The model ${model} of this forecast`, name);
  }
  requireLicense(licenses, (await readAbout(database, original.snapshot_id)) ?? {});
}
