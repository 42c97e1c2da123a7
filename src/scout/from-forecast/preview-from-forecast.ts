import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { EventPreviews } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import type { FromForecastRequest } from './choose-questions.ts';
import { type PreparedQuestion, prepareQuestions } from './create-from-forecast.ts';

type PreviewsView = z.output<typeof EventPreviews>;

/** Returns the questions that the same request would create, with their probabilities. Stores nothing. */
export async function previewFromForecast(
  context: ScoutContext,
  principal: Account,
  body: FromForecastRequest,
): Promise<PreviewsView> {
  const { forecastId, last, events } = await prepareQuestions(context, principal, body, context.clock.now());
  return { forecast_id: forecastId, last_value: last, questions: events.map(viewPreview) };
}

function viewPreview({ question, headline, probability, deadline, rule, origin }: PreparedQuestion) {
  return {
    step: origin.step,
    timestamp: origin.timestamp,
    op: origin.op,
    threshold: origin.threshold,
    probability,
    ensemble_probability: origin.ensemble_probability,
    past_share: origin.past_share,
    part: origin.part,
    question,
    possible_future_headline: headline,
    resolution_deadline: deadline.toISOString(),
    has_rule: rule !== null,
  };
}
