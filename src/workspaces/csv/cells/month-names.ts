const NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A name of a month in English, short or whole, for a regular expression. */
export const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

/** Which month a name is of, from 1 to 12. */
export function monthNamed(name: string | undefined): number {
  return 1 + NAMES.indexOf((name ?? '').slice(0, 3).toLowerCase());
}
