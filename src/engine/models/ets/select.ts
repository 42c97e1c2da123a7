import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { fillGaps } from '../../numerics/fill-gaps.ts';
import type { FitData } from './fit-data.ts';
import { type FittedForm, fitForm } from './fit-form.ts';
import { candidateForms, type SeasonKind } from './form.ts';
import { guessInitialStates } from './initial-states.ts';

/** Every form that suits the data, fitted, the one with the lowest corrected information criterion first. */
export function fitForms(data: FitData, isPositive: boolean, signal: AbortFlag | undefined): FittedForm[] {
  const filled = fillGaps(data.values);
  const guesses = new Map<SeasonKind, ReturnType<typeof guessInitialStates>>();
  const fits: FittedForm[] = [];
  for (const form of candidateForms(isPositive, data.period > 1)) {
    throwIfAborted(signal);
    const { season } = form;
    const period = season === 'none' ? 1 : data.period;
    if (!guesses.has(season)) guesses.set(season, guessInitialStates(filled, period, season));
    const guess = guesses.get(season);
    if (!guess) continue;
    const fit = fitForm({ ...data, period }, form, form.trend === 'none' ? guess.flat : guess.withTrend);
    if (fit) fits.push(fit);
  }
  return fits.sort((a, b) => a.aicc - b.aicc);
}
