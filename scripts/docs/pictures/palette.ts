/** Colors that color-blind readers can tell apart (Okabe and Ito). */
export const COLORS = {
  history: '#222',
  training: '#c8c8c8',
  scored: '#0072b2',
  audit: '#d55e00',
  ensemble: '#0072b2',
  rule: '#ddd',
  members: { ets: '#e69f00', theta: '#009e73', arima: '#cc79a7' } as Readonly<Record<string, string>>,
} as const;
