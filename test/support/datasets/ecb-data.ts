import type { EcbDimension, EcbFlow, EcbSeries } from './ecb-server.ts';

// Data sets of the ECB in each frequency, with their real structures, shortened.

const dimension = (id: string, name: string, codes: Readonly<Record<string, string>>, codeList = `CL_${id}`) =>
  ({ id, name, codeList, codes }) satisfies EcbDimension;

const FREQ = dimension('FREQ', 'Frequency', {
  A: 'Annual',
  B: 'Business',
  D: 'Daily',
  E: 'Event (not supported)',
  H: 'Half-yearly',
  M: 'Monthly',
  N: 'Minutely',
  Q: 'Quarterly',
  S: 'Half Yearly, semester',
  W: 'Weekly',
});
const AREA = dimension(
  'REF_AREA',
  'Reference area',
  { U2: 'Euro area (changing composition)', FR: 'France' },
  'CL_AREA',
);
const ADJUSTMENT = dimension('ADJUSTMENT', 'Adjustment indicator', {
  N: 'Neither seasonally nor working day adjusted',
  Y: 'Working day and seasonally adjusted',
});
const CURRENCIES = { EUR: 'Euro', JPY: 'Japanese yen', USD: 'US dollar' };

export const ECB_FLOWS: readonly EcbFlow[] = [
  {
    id: 'EXR',
    name: 'Exchange Rates',
    structure: 'ECB_EXR1',
    dimensions: [
      FREQ,
      dimension('CURRENCY', 'Currency', CURRENCIES),
      dimension('CURRENCY_DENOM', 'Currency denominator', CURRENCIES, 'CL_CURRENCY'),
      dimension('EXR_TYPE', 'Exchange rate type', { SP00: 'Spot', EN00: 'Nominal effective exchange rate' }),
      dimension('EXR_SUFFIX', 'Series variation - EXR context', { A: 'Average', E: 'End-of-period' }),
    ],
  },
  {
    id: 'ICP',
    name: 'Indices of Consumer prices & "HICP"',
    structure: 'ECB_ICP1',
    dimensions: [
      FREQ,
      AREA,
      ADJUSTMENT,
      dimension('ICP_ITEM', 'Classification - ICP context', { '000000': 'HICP - Overall index' }),
      dimension('STS_INSTITUTION', 'Institution originating the data flow', { 4: 'Eurostat' }),
      dimension('ICP_SUFFIX', 'Series variation - ICP context', { ANR: 'Annual rate of change', INX: 'Index' }),
    ],
  },
  {
    id: 'MNA',
    name: 'National accounts, Main aggregates',
    structure: 'NA_MAIN',
    agency: 'ESTAT',
    dimensions: [
      FREQ,
      ADJUSTMENT,
      AREA,
      dimension('UNIT_MEASURE', 'Unit of measure', { EUR: 'Euro', PC: 'Percent' }, 'CL_UNIT'),
    ],
    attributes: ['TITLE', 'UNIT_MULT'],
  },
  {
    id: 'ILM',
    name: 'Internal Liquidity Management',
    structure: 'ECB_ILM1',
    dimensions: [FREQ, AREA, dimension('BS_ITEM', 'Balance sheet item', { A010000: 'Gold', T000000: 'Total' })],
  },
  {
    id: 'SAFE',
    name: 'Survey on the access to finance',
    structure: 'ECB_SAFE1',
    dimensions: [FREQ, AREA],
  },
  { id: 'JDF_EXR_HCI', name: 'Competitiveness indicators', structure: 'ECB_EXR1', dimensions: [] },
];

const DOLLAR = {
  TIME_FORMAT: 'P1D',
  COLLECTION: 'A',
  UNIT_INDEX_BASE: '99Q1=100',
  DECIMALS: '4',
  SOURCE_AGENCY: '4F0',
  TITLE: 'US dollar/Euro ECB reference exchange rate',
  TITLE_COMPL: 'ECB reference exchange rate, US dollar/Euro, 2.15 pm (C.E.T.)',
  UNIT: 'USD',
  UNIT_MULT: '0',
};

/** The series of the scene. The first one is daily over the end of a year and a leap day, with a holiday. */
export const ECB_SERIES: readonly EcbSeries[] = [
  {
    flow: 'EXR',
    key: 'D.USD.EUR.SP00.A',
    attributes: DOLLAR,
    observations: [
      ['2023-12-28', '1.1114'],
      ['2023-12-29', '1.105'],
      ['2024-01-01', '', 'H'],
      ['2024-01-02', '1.0956'],
      ['2024-01-03', '1.0919', 'E'],
      ['2024-01-04', '1.0953', 'A', 'Provisional reading, see the "notes"\nof the release'],
      ['2024-02-28', '1.0808'],
      ['2024-02-29', '1.0826'],
      ['2024-03-01', '1.0834'],
      ['2024-03-28', '1.0811'],
      ['2024-03-29', '', 'H'],
      ['2024-04-02', '1.0749'],
    ],
  },
  {
    flow: 'EXR',
    key: 'A.USD.EUR.SP00.A',
    attributes: { ...DOLLAR, TIME_FORMAT: 'P1Y' },
    observations: [
      ['2022', '1.05304770428016'],
      ['2023', '1.0812705882353'],
      ['2024', '1.08238125'],
    ],
  },
  {
    flow: 'EXR',
    key: 'D.JPY.EUR.SP00.A',
    attributes: { TITLE: 'Japanese yen/Euro', UNIT: 'JPY', UNIT_MULT: '0' },
    observations: [['2024-01-02', '155.5']],
  },
  {
    flow: 'ICP',
    key: 'M.U2.N.000000.4.ANR',
    attributes: { TITLE: 'HICP - Overall index', UNIT: 'PCCH', UNIT_MULT: '0' },
    observations: [
      ['2023-12', '2.9'],
      ['2024-01', '2.8'],
      ['2024-02', 'NaN', 'L'],
      ['2024-03', '2.4', 'P'],
    ],
  },
  {
    flow: 'MNA',
    key: 'Q.Y.U2.EUR',
    attributes: { TITLE: 'Gross domestic product', UNIT_MULT: '6' },
    observations: [
      ['2023-Q4', '3654321.5'],
      ['2024-Q1', '3.68E6'],
      ['2024-Q2', '3701234', 'P'],
    ],
  },
  {
    flow: 'ILM',
    key: 'W.U2.A010000',
    attributes: { TITLE: 'Gold and gold receivables', UNIT: 'EUR', UNIT_MULT: '6' },
    observations: [
      ['2020-W52', '559260'],
      ['2020-W53', '536542'],
      ['2021-W01', '536542'],
    ],
  },
  {
    flow: 'ILM',
    key: 'B.U2.T000000',
    attributes: { TITLE: 'Current accounts', UNIT: 'EUR', UNIT_MULT: '9' },
    observations: [
      ['2020-12-30', '-0.5'],
      ['2020-12-31', '-1e-2'],
    ],
  },
  { flow: 'SAFE', key: 'H.U2', attributes: { TITLE: 'Access to finance' }, observations: [['2024-S1', '7.1']] },
];
