import { once, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { type BundledSeries, US_GOVERNMENT_WORK, type ValueColumn } from '../bundled-series.ts';
import { singleTable, timestampFromFirstDay } from '../series-rows.ts';

/** The columns of the file, in the order and spelling of the file, with their titles. */
const SECTORS = {
  nonfarm: 'total nonfarm',
  private: 'total private',
  goods_producing: 'goods-producing industries',
  service_providing: 'service-providing industries',
  private_service_providing: 'private service-providing industries',
  mining_and_logging: 'mining and logging',
  construction: 'construction',
  manufacturing: 'manufacturing',
  durable_goods: 'durable goods manufacturing',
  nondurable_goods: 'nondurable goods manufacturing',
  trade_transportation_utilties: 'trade, transportation and utilities',
  wholesale_trade: 'wholesale trade',
  retail_trade: 'retail trade',
  transportation_and_warehousing: 'transportation and warehousing',
  utilities: 'utilities',
  information: 'information',
  financial_activities: 'financial activities',
  professional_and_business_services: 'professional and business services',
  education_and_health_services: 'education and health services',
  leisure_and_hospitality: 'leisure and hospitality',
  other_services: 'other services',
  government: 'government',
  nonfarm_change: 'total nonfarm, change from the month before',
} as const;
type Sector = keyof typeof SECTORS;

const COLUMNS = Object.keys(SECTORS) as Sector[];

const readFile = once(() =>
  readPackageCsv({ package: 'vega-datasets', path: 'data/us-employment.csv' }, ['month', ...COLUMNS]),
);

export const usEmployment: readonly BundledSeries[] = COLUMNS.map((column): BundledSeries => {
  const isChange = column === 'nonfarm_change';
  const values: readonly ValueColumn[] = [
    {
      field: isChange ? 'change' : 'employment',
      label: isChange ? 'Change of employment' : 'Employment',
      units: 'thousands of jobs',
    },
  ];
  return {
    id: `us-employment-${column.replace('utilties', 'utilities').replaceAll('_', '-')}`,
    title: `US employment, ${SECTORS[column]}`,
    keywords: [
      ...(column === 'nonfarm' ? ['NFP', 'nonfarm payrolls'] : []),
      'jobs',
      'payrolls',
      'employees',
      'labor market',
      'labour market',
      'CES',
      'BLS',
      'United States',
      'seasonally adjusted',
    ],
    frequency: '1ME',
    values,
    publisher: 'U.S. Bureau of Labor Statistics, Current Employment Statistics',
    package: 'vega-datasets',
    license: US_GOVERNMENT_WORK,
    notes: 'Seasonally adjusted; as published in November 2018.',
    load: once(async () => {
      const rows = (await readFile()).map(({ where, cells }) => ({
        where,
        timestamp: timestampFromFirstDay('1ME', cells.month, where),
        values: [parseNumber(cells[column], where)],
      }));
      return singleTable({ frequency: '1ME', values }, rows);
    }),
  };
});
