const DAY = 86_400_000;

/**
 * Continues the dates of a series: calendar months, quarters and years keep to the calendar, daily series without a
 * single weekend skip weekends, anything else goes on by its usual step.
 *
 * @returns a function that gives the start of the period `step` after the last one (1 is the next)
 */
export function futureTimes(times: Float64Array): (step: number) => number {
  const last = times[times.length - 1] as number;
  const usual = usualStep(times);
  const months = monthsIn(usual);
  if (months > 0) return (step) => addMonths(last, months * step);
  if (Math.abs(usual - DAY) < 1 && times.length >= 10 && !times.some(isWeekend)) {
    return (step) => {
      const weekday = (new Date(last).getUTCDay() + 6) % 7;
      return last + DAY * (step + 2 * Math.floor((weekday + step) / 5));
    };
  }
  return (step) => last + usual * step;
}

/** The median distance between neighbours. */
export function usualStep(times: Float64Array): number {
  const steps = new Float64Array(Math.max(0, times.length - 1));
  for (let i = 0; i < steps.length; i++) steps[i] = (times[i + 1] as number) - (times[i] as number);
  steps.sort();
  const middle = steps[steps.length >> 1];
  return middle !== undefined && middle > 0 ? middle : DAY;
}

function monthsIn(step: number): number {
  const days = step / DAY;
  for (const months of [1, 3, 6, 12]) if (days > 30.4 * months - 3 && days < 30.5 * months + 2) return months;
  return 0;
}

function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const target = new Date(time);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  // The end of a month stays the end of a month.
  const isMonthEnd = date.getUTCDate() > 27 && new Date(time + DAY).getUTCDate() === 1;
  target.setUTCDate(isMonthEnd ? lastDay : Math.min(date.getUTCDate(), lastDay));
  return target.getTime();
}

function isWeekend(time: number): boolean {
  const day = new Date(time).getUTCDay();
  return day === 0 || day === 6;
}
