import type { BundledSeries } from '../bundled-series.ts';
import { globalTemperature, maunaLoaCo2 } from './climate.ts';
import { dailyWeather } from './daily-weather.ts';
import { iowaElectricity } from './iowa-electricity.ts';
import { monthlyCloses } from './monthly-closes.ts';
import { shiller } from './shiller.ts';
import { usCpi } from './us-cpi.ts';
import { usEmployment } from './us-employment.ts';
import { usUnemployment } from './us-unemployment.ts';
import { vix } from './vix.ts';

/** Every series that is installed with the service. */
export const BUNDLED_SERIES: readonly BundledSeries[] = [
  shiller,
  usCpi,
  ...usEmployment,
  usUnemployment,
  ...monthlyCloses,
  vix,
  maunaLoaCo2,
  globalTemperature,
  dailyWeather,
  iowaElectricity,
];
