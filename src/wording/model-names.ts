const NAMES: Readonly<Record<string, string>> = {
  prophet: 'Prophet',
  toto: 'Toto',
  ets: 'ETS',
  theta: 'Theta',
  arima: 'ARIMA',
  seasonal_naive: 'Seasonal naive',
  intermittent: 'Intermittent demand',
  mstl: 'Multiple seasonality',
};

/** Returns the name of a model for people. */
export function nameModel(id: string): string {
  return NAMES[id] ?? id;
}
