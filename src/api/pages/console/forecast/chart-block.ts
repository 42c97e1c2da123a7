import { nameModel } from '../../../../wording/index.ts';
import type { Html } from '../../html.ts';
import { dataBlock } from '../document.ts';
import { type ForecastView, isRefused } from './view.ts';

/** Renders the numbers of the chart for the script that draws it. Times are in seconds since 1970. */
export function chartBlock(view: ForecastView): Html {
  const { forecast, history, outcome, levels, units, period } = view;
  const { settings, weighting, historical_validation: validation, predictions, members = [] } = forecast;
  const rows = isRefused(history) ? [] : history.rows;
  const seconds = (timestamp: string) => Date.parse(timestamp) / 1_000;
  const middle = levels.median ?? levels.keys[Math.floor(levels.keys.length / 2)] ?? '';
  return dataBlock('fan', {
    id: forecast.forecast_id,
    name: forecast.name,
    units: units ?? null,
    frequency: settings.frequency,
    period,
    history: { times: rows.map(({ timestamp }) => seconds(timestamp)), values: rows.map(({ value }) => value) },
    /** Whether there are older rows that the page does not contain. */
    truncated: !isRefused(history) && history.truncated,
    steps: predictions.map(({ timestamp }) => seconds(timestamp)),
    levels: levels.keys,
    quantiles: levels.keys.map((key) => predictions.map(({ quantiles }) => quantiles[key] ?? null)),
    outcome: (isRefused(outcome) ? [] : outcome.rows).map(({ step, timestamp, actual, replayed }) => ({
      step,
      time: seconds(timestamp),
      actual,
      replayed: replayed === true,
    })),
    members: members
      .filter((member) => member.predictions.length > 0)
      .map((member) => ({
        model: member.model,
        name: nameModel(member.model),
        level: middle,
        values: member.predictions.map(({ quantiles }) => quantiles[middle] ?? null),
      })),
    folds: (weighting?.folds ?? []).map(({ start_at, end_at }) => [seconds(start_at), seconds(end_at)]),
    audit:
      validation?.validation_start_at && validation.validation_end_at
        ? [seconds(validation.validation_start_at), seconds(validation.validation_end_at)]
        : null,
  });
}
