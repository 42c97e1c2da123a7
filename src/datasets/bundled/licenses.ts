export interface License {
  readonly name: string;
  readonly url: string | null;
}

export const US_GOVERNMENT_WORK: License = {
  name: 'U.S. Government work',
  url: 'https://www.usa.gov/government-works',
};

export const CC_BY_4: License = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };

/** Of data in vega-datasets for which it names none. */
export const VEGA_UNSTATED: License = {
  name: 'BSD-3-Clause (the package); no licence is stated for the data',
  url: 'https://github.com/vega/vega-datasets',
};
