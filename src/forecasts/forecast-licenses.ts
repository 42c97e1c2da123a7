import { licenseDenied } from '../access/index.ts';
import { readSnapshotAbout, requireAllowedLicense } from '../snapshots/index.ts';
import type { ForecastContext } from './context.ts';
import type { OriginalForecast } from './find-forecast.ts';

/** Throws a fault if the license of a model or of the rows of a stored forecast is no longer allowed. */
export async function requireAllowedLicenses(
  { database, checkpoints, licenses }: Pick<ForecastContext, 'database' | 'checkpoints' | 'licenses'>,
  forecast: Pick<OriginalForecast, 'checkpoints' | 'snapshot_id'>,
): Promise<void> {
  if (licenses.allowsAll) return;
  for (const [model, name] of await checkpoints.licenses(forecast.checkpoints)) {
    if (!licenses.allows(name)) throw licenseDenied(`The model ${model} of this forecast`, name);
  }
  const about = forecast.snapshot_id === null ? null : await readSnapshotAbout(database, forecast.snapshot_id);
  requireAllowedLicense(licenses, about ?? {});
}
