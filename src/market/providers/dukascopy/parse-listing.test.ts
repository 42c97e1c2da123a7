import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from './instruments.ts';
import { parseHistoryStarts } from './parse-history-starts.ts';
import { parseListing } from './parse-listing.ts';

const GROUPS = [
  { id: 3, code: 'FX', description: 'Forex', sortOrder: 1, parentId: null },
  { id: 4, code: 'CMD', description: 'Commodities CFD', sortOrder: 2, parentId: null },
  { id: 7, code: 'STCK_CFD', description: 'Stocks CFD', sortOrder: 5, parentId: null },
  { id: 9, code: 'VCCY', description: 'Crypto CFD', sortOrder: 7, parentId: null },
  { id: 11, code: 'CMD_ENERGY', description: 'Energy', sortOrder: 2, parentId: 4 },
  { id: 12, code: 'CMD_METALS', description: 'Metals', sortOrder: 2, parentId: 4 },
  { id: 17, code: 'FX_CROSSES', description: 'Crosses', sortOrder: 1, parentId: 3 },
  { id: 18, code: 'FX_MAJORS', description: 'Majors', sortOrder: 1, parentId: 3 },
  { id: 19, code: 'FX_METALS', description: 'Metals', sortOrder: 1, parentId: 3 },
  { id: 47, code: 'US', description: 'US', sortOrder: null, parentId: 7 },
];

function entry(
  code: string,
  groupId: number | null,
  description: string | null,
  platformGroupId: string | null = null,
) {
  const details = {
    id: 1,
    pipValue: 1e-4,
    priceScale: 5,
    countryCode: null,
    webGroupId: null,
    sectorIds: [],
    rating: 1,
  };
  return { ...details, name: code.replace('-', '/'), code, description, groupId, platformGroupId };
}

const LISTING = {
  instruments: [
    entry('AAPL.US-USD', 47, 'Apple Inc.', 'STK_CASH'),
    entry('AED-CNH', 17, 'UAE Dirham vs Chinese Yuan', 'FX_CROSS'),
    entry('EUR-USD', 18, 'Euro vs US Dollar', 'FX_MAJOR'),
    entry('XAU-AUD', 19, 'Gold vs Australian Dollar', 'FX_METAL'),
    entry('COPPER.CMD-USD', 12, 'High Grade Copper', 'COM_SPOT'),
    entry('BRENT.CMD-USD', 11, 'US Brent Crude Oil', 'COM_SPOT'),
    entry('ADA-USD', 9, 'Cardano vs US Dollar', 'CRYPTO_CURR'),
    entry('EUC-EUR', null, 'EUR Coin vs Euro', 'CRYPTO_CURR'),
    entry('IE0005023803.FN-EUR', null, 'A fund', 'MUTUAL_FUNDS'),
    entry('USC-USD', null, null),
    entry('AVE-USD', 9, null),
    entry('DOGE2_PERP', 9, 'A code of another form'),
  ],
  groups: GROUPS,
  platformGroups: [{ id: 'FX_MAJOR' }],
};

test('lists pairs, metals and coins and nothing else', () => {
  const listing = parseListing(LISTING) ?? [];
  assert.deepEqual(
    listing.map((one) => [one.symbol, one.class, one.units, codeOf(one), one.name]),
    [
      ['AEDCNH', 'pair', 'CNH', 'AED-CNH', 'UAE Dirham / Chinese Yuan'],
      ['EURUSD', 'pair', 'USD', 'EUR-USD', 'Euro / US dollar'],
      ['XAUAUD', 'metal', 'AUD', 'XAU-AUD', 'Gold / Australian Dollar'],
      ['COPPERUSD', 'metal', 'USD', 'COPPER.CMD-USD', 'High Grade Copper'],
      ['ADAUSD', 'coin', 'USD', 'ADA-USD', 'Cardano / US Dollar'],
      ['EUCEUR', 'coin', 'EUR', 'EUC-EUR', 'EUR Coin / Euro'],
      ['AVEUSD', 'coin', 'USD', 'AVE-USD', 'AVE/USD'],
    ],
  );
  assert.deepEqual(listing[1]?.aliases, ['EUR-USD', 'EUR/USD', 'euro dollar'], 'bundled aliases are kept');
});

test('refuses a listing of another form', () => {
  const { instruments } = LISTING;
  const without = (code: string) => GROUPS.filter((group) => group.code !== code);
  const renamed = GROUPS.map((group) => (group.code === 'VCCY' ? { ...group, code: 'DIGITAL' } : group));
  const circular = GROUPS.map((group) => (group.code === 'STCK_CFD' ? { ...group, parentId: 47 } : group));
  const forms: unknown[] = [
    null,
    [],
    instruments,
    { instruments },
    { groups: GROUPS },
    { instruments: {}, groups: GROUPS },
    { instruments: [], groups: GROUPS },
    { instruments: [...instruments, { ...instruments[0], code: 7 }], groups: GROUPS },
    { instruments: [...instruments, null], groups: GROUPS },
    { instruments: [...instruments, entry('EUR-GBP', 99, null)], groups: GROUPS },
    { instruments, groups: without('FX_MAJORS') },
    { instruments: instruments.filter(({ groupId }) => groupId === 18), groups: GROUPS },
    { instruments, groups: circular },
    { instruments: instruments.filter(({ code }) => code !== 'EUC-EUR'), groups: renamed },
  ];
  for (const [place, form] of forms.entries()) assert.equal(parseListing(form), null, `form ${place}`);
});

test('the first of two codes of one symbol is listed', () => {
  const instruments = [...LISTING.instruments, entry('COPPER-USD', 19, 'Copper')];
  assert.equal(parseListing({ ...LISTING, instruments })?.filter(({ symbol }) => symbol === 'COPPERUSD').length, 1);
});

test('reads the starts of hours and days', () => {
  const histories = [
    { period: 'TICK', from: 1 },
    { period: 'MINUTE', from: 946_684_800_000 },
    { period: 'HOUR', from: 1_494_198_000_000 },
    { period: 'DAY', from: 1_494_115_200_000 },
  ];
  const reply = { code: 'BTC-USD', name: 'BTC/USD', histories, holidays: [] };
  assert.deepEqual(parseHistoryStarts(reply, 'BTC-USD'), { intraday: 1_494_198_000_000, days: 1_494_115_200_000 });
  assert.equal(parseHistoryStarts(reply, 'ETH-USD'), null);
  assert.equal(parseHistoryStarts({ ...reply, histories: histories.slice(0, 3) }, 'BTC-USD'), null);
  assert.equal(parseHistoryStarts({ ...reply, histories: {} }, 'BTC-USD'), null);
  assert.equal(parseHistoryStarts(null, 'BTC-USD'), null);
});
