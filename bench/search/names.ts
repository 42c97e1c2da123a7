/** The words of the generated entries and queries. */

export const COUNTRIES =
  `Argentina|Australia|Austria|Bangladesh|Belgium|Brazil|Bulgaria|Cameroon|Canada|Chile|China|Colombia|Costa Rica|Croatia|Cyprus|Czechia|Denmark|Ecuador|Egypt|Estonia|Ethiopia|Finland|France|Germany|Ghana|Greece|Guatemala|Hungary|Iceland|India|Indonesia|Ireland|Israel|Italy|Jamaica|Japan|Kazakhstan|Kenya|Latvia|Lithuania|Luxembourg|Malaysia|Malta|Mexico|Morocco|Netherlands|New Zealand|Nigeria|Norway|Pakistan|Panama|Paraguay|Peru|Philippines|Poland|Portugal|Romania|Saudi Arabia|Senegal|Serbia|Singapore|Slovakia|Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sweden|Switzerland|Taiwan|Tanzania|Thailand|Tunisia|Türkiye|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|Uruguay|Uzbekistan|Vietnam|Zambia|Côte d'Ivoire|São Tomé and Príncipe`.split(
    '|',
  );

export const INDICATORS =
  `Consumer price index|Producer price index|Import price index|Export price index|House price index|Real gross domestic product|Nominal gross domestic product|Unemployment rate|Youth unemployment rate|Labour force participation|Employment|Job vacancies|Average hourly earnings|Industrial production index|Manufacturing output|Retail sales|Wholesale sales|New orders|Business confidence index|Consumer confidence index|Housing starts|Building permits|Construction output|Current account balance|Trade balance|Exports of goods|Imports of goods|Foreign direct investment|Central bank policy rate|Interbank rate|Government bond yield|Treasury bill rate|Mortgage rate|Money supply|Bank lending|Household debt|Government debt|Budget balance|Tax revenue|Population|Net migration|Life expectancy|Electricity consumption|Crude oil production|Natural gas price|Wheat price|Carbon dioxide emissions|Tourist arrivals|Vehicle registrations|Exchange rate against the US dollar`.split(
    '|',
  );

export const FREQUENCIES = ['monthly', 'quarterly', 'annual'];
export const ADJUSTMENTS = ['seasonally adjusted', 'not seasonally adjusted', 'change on year earlier', 'index level'];

export const SYLLABLES =
  'al an ar ba be bo ca ce co da de di do el en er fa fi ga ge ha he in is ka ke la le li lo ma me mi mo na ne ni no or pa pe pi ra re ri ro sa se si so ta te ti to tra un va ve vi vo wa wi xe ya ze zo'.split(
    ' ',
  );
export const BUSINESSES =
  'Technologies|Holdings|Pharmaceuticals|Energy|Financial|Industries|Semiconductor|Bancorp|Realty|Therapeutics|Software|Logistics|Resources|Airlines|Foods|Insurance|Mining|Networks|Materials|Entertainment'.split(
    '|',
  );
export const LEGAL_FORMS = ['Inc.', 'Corp.', 'Ltd', 'plc', 'Group', 'S.A.'];
export const EXCHANGES = ['NASDAQ', 'NYSE', 'AMEX'];
