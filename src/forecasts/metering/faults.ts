import { Fault } from '../../contract/index.ts';

export function usageRangeReversed(): Fault {
  return new Fault('INVALID_REQUEST', 'from: must not be after to.');
}

export function usageRangeAhead(today: string): Fault {
  return new Fault('INVALID_REQUEST', `from: must not be after today, ${today} (UTC).`);
}

export function usageRangeTooLong(interval: 'day' | 'month', max: number): Fault {
  const remedy = interval === 'day' ? 'Choose a later day, or months.' : 'Choose a later day.';
  return new Fault('INVALID_REQUEST', `from: must be fewer than ${max} ${interval}s before to. ${remedy}`);
}
