import { z } from 'zod';

/** The longest wait of one call. Many clients give up after 30 to 60 seconds. */
const MAX_WAIT_SECONDS = 20;

/** Returns the schema of the handle of a series. */
export const seriesHandle = () =>
  z
    .string()
    .min(1)
    .max(8_000)
    .describe('A handle as find_series or look_at_series returned it, such as source=market&symbol=AAPL&timeframe=1D.');

/** Returns the schema of the id of a forecast. */
export const forecastId = () => z.string().min(1).max(200).describe('The `forecast_id` that forecast returned.');

/** Returns the schema of the time that a call may wait for a forecast. */
export const waitSeconds = () =>
  z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(MAX_WAIT_SECONDS)
    .describe('How long to wait for the result. Afterwards, the result states how far the forecast is.');

/** Returns the schema of the choice whether a result has a picture. */
export const wantsPicture = () =>
  z.boolean().default(true).describe('Whether to add a PNG of the history and the forecast once it has completed.');
