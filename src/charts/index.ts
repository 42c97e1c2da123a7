export type { ForecastChart, OutcomePoint } from './chart-data.ts';
export { type ChartTable, chartTable } from './chart-table.ts';
export { CHART_STYLE, type ChartColors } from './colors.ts';
export { drawForecastChart } from './draw-forecast-chart.ts';
export { drawProbabilityChart, type ProbabilityChart } from './draw-probability-chart.ts';
export { drawSparkline, type Sparkline, type SparklineOptions } from './draw-sparkline.ts';
export type { ChartOptions } from './frame.ts';
