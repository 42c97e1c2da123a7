export type { ForecastChart, OutcomePoint } from './chart-data.ts';
export { type ChartTable, chartTable } from './chart-table.ts';
export { CHART_STYLE, type ChartColors } from './colors.ts';
export { describeSeriesChart } from './describe-series-chart.ts';
export { type BarChart, drawBars } from './draw-bars.ts';
export {
  type CalibrationChart,
  type CalibrationPoint,
  describeCalibration,
  drawCalibration,
} from './draw-calibration.ts';
export { type DecileChart, describeDeciles, drawDeciles } from './draw-deciles.ts';
export { drawForecastChart } from './draw-forecast-chart.ts';
export { drawProbabilityChart, type ProbabilityChart } from './draw-probability-chart.ts';
export { drawSeriesChart, type SeriesBars, type SeriesChart } from './draw-series-chart.ts';
export { drawSparkline, type Sparkline, type SparklineOptions } from './draw-sparkline.ts';
export { drawTextChart, type TextChartOptions } from './draw-text-chart.ts';
export type { ChartOptions } from './frame.ts';
export { countDecimals, seriesFormat } from './series-format.ts';
export { cleanLine } from './text.ts';
