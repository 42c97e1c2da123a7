import { csvCell } from '../snapshots/index.ts';

/** The predictions of a forecast, stored or not. */
interface Predicted {
  readonly predictions: readonly {
    readonly timestamp: string;
    readonly quantiles: Readonly<Record<string, number>>;
  }[];
}

/** Formats the predictions of a completed forecast as CSV, with a column for each quantile. */
export function formatPredictionsCsv({ predictions }: Predicted): string {
  const keys = Object.keys(predictions[0]?.quantiles ?? {});
  const lines = predictions.map(({ timestamp, quantiles }) => [
    timestamp,
    ...keys.map((key) => String(quantiles[key])),
  ]);
  return [['timestamp', ...keys], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
