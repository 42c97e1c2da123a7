import type { Scene } from './scene.ts';

const EVENTS = '/v1/forecasts';
const DAY_MS = 24 * 60 * 60 * 1_000;

const ACME = { type: 'company', name: 'Acme', ticker: 'ACME' };
const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

/** Creates questions with revisions, a rule and each end, and questions from a forecast. */
export async function createEvents(scene: Scene): Promise<void> {
  const created = Date.now();
  const at = (days: number) => new Date(created + days * DAY_MS).toISOString();
  const question = (name: string, probability: number) => ({
    ...{ category: 'earnings', entity: ACME, question: `Will Acme report ${name}?`, probability },
    ...{ possible_future_headline: `Acme reports ${name}`, input_cutoff_at: at(-2), resolution_deadline: at(400) },
  });
  const create = async (name: string, fields: object): Promise<string> => {
    const { forecast_id } = await scene.send<{ forecast_id: string }>('ada', 'POST', EVENTS, fields);
    return scene.setId(`event:${name}`, `${forecast_id}`);
  };
  const shown = { visibility: 'public', slug: 'acme-beats-q3', model: 'analyst-2' };
  const revised = await create('revised', { ...question('a third quarter above plan', 0.4), ...shown });
  for (const [i, probability] of [0.55, 0.7].entries()) {
    const revision = { probability, input_cutoff_at: at(-1), note: `Revision ${i + 2}:\nthe orders rose again.` };
    await scene.send('ada', 'POST', `${EVENTS}/${revised}/revisions`, revision);
  }
  const resolved = await create('resolved', question('a new factory', 0.8));
  await scene.send('ada', 'POST', `${EVENTS}/${resolved}/resolve`, {
    ...{ outcome: 'yes', actual_outcome: 'It opened the factory.', resolution_source: 'Press release' },
    ...{ outcome_known_at: new Date().toISOString(), evidence: { text: 'Page 3 of the press release' } },
  });
  const annulled = await create('annulled', question('a merger with Bolt', 0.1));
  await scene.send('ada', 'POST', `${EVENTS}/${annulled}/resolve`, {
    ...{ outcome: 'annulled', actual_outcome: 'Bolt no longer exists.', resolution_source: 'Commercial register' },
  });
  const rule = { type: 'threshold', source: CPI, op: 'gte', threshold: 400, observed_at: at(200), settle_days: 3 };
  await create('with_rule', { ...question('prices above 400', 0.3), resolution_rule: rule });
  await create('of_workspace', { ...question('more visits', 0.6), workspace_id: scene.id('workspace') });
  await scene.send('ada', 'POST', '/v1/scout/from-forecast', {
    ...{ forecast_id: scene.forecasts.get('with_outcome')?.id, changes_pct: [10, 25], steps: [11, 12] },
  });
}
