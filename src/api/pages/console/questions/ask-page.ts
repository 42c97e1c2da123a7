import { createHash, randomUUID } from 'node:crypto';
import { Fault } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { readField } from '../../forms.ts';
import { readNumber } from '../../read-number.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { readSource } from '../source-address.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { showAccountFirst } from './account-first.ts';
import { ASK_LABELS, ASK_PATH, type AskForm, KINDS, readAudience, renderAskForm } from './ask-form.ts';
import { endOfDay, entered, optional, readPercent, toInstant } from './entered.ts';
import { renderHead } from './head.ts';
import { QUESTIONS_PATH, questionPath } from './words.ts';

/** Asks a question in the visitor's own words. With a series in the address, a rule on the series decides it. */
export const askPage: ConsoleRoute = {
  path: ASK_PATH,

  get: (visit) => showForm(visit, { values: visit.query, errors: {} }),

  async post(visit) {
    const { form, visitor } = visit;
    const { body, errors } = readBody(visit);
    const values = form as AskForm['values'];
    if (Object.keys(errors).length > 0) return showForm(visit, { values, errors });
    const created = await attempt(() => visitor.call('createEvent', { body }));
    if (!(created instanceof Fault)) {
      setNotice(visit, 'question_asked', questionPath(created));
      return new SeeOther(questionPath(created));
    }
    const before = await findTwin(visit, created);
    if (before !== null) {
      setNotice(visit, 'question_exists', before);
      return new SeeOther(before);
    }
    const named = toFieldErrors(created, ASK_LABELS);
    if (named !== null) return showForm(visit, { values, errors: named }, undefined, created.status);
    return showForm(visit, { values, errors: {} }, toRefusal(created));
  },
};

/** Returns the address of the question that the same form created before; null if the fault has another reason. */
async function findTwin({ visitor }: ConsoleVisit, { code, message }: Fault): Promise<string | null> {
  const id = code === 'CONFLICT' ? /^slug: .*\b(evt_\w+)/.exec(message)?.[1] : undefined;
  if (id === undefined) return null;
  const found = await attempt(() => visitor.call('readEvent', { params: { forecast_id: id } }));
  return found instanceof Fault ? null : questionPath(found);
}

const MAX_SLUG_WORDS = 60;

/**
 * Returns a slug from the words of a question and the key of its form. The author can request a slug only once, so a form
 * that is sent twice asks once, also if two processes get it.
 */
function slugOf(question: string, key: string): string {
  const words = question
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_WORDS)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(`${key} ${question}`).digest('hex').slice(0, 8);
  return words === '' ? hash : `${words}-${hash}`;
}

/** Returns the request that a form describes, and the errors that the API would name less clearly. */
function readBody({ form, now }: ConsoleVisit): { readonly body: object; readonly errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const probability = readPercent(entered(form, 'probability'));
  if (probability === null) errors.probability = 'Probability: enter a number from 0 to 100, such as 65.';
  const question = entered(form, 'question');
  const source = readSource(form as Record<string, unknown>);
  const threshold = source === null ? null : readNumber(entered(form, 'threshold'));
  if (source !== null && threshold === null) errors.threshold = 'Value: enter a number, such as 120.5.';
  if (source !== null && entered(form, 'observed_at') === '')
    errors.observed_at = 'Decided by the value of: choose a day of the period.';
  const deadline = endOfDay(entered(form, 'deadline'));
  if (deadline === '') errors.deadline = 'Deadline: choose a day.';
  else if (Date.parse(deadline) <= now.getTime())
    errors.deadline = 'Deadline must be in the future: choose today or a later day.';
  const kind = entered(form, 'entity_type');
  if (!KINDS.some(({ value }) => value === kind)) errors.entity_type = 'Kind: choose one from the list.';
  if (entered(form, 'audience') === '') errors.audience = 'Visible to: choose one from the list.';
  const settleDays = entered(form, 'settle_days');
  const body = {
    question,
    possible_future_headline: entered(form, 'headline'),
    probability,
    category: toWord(entered(form, 'category')),
    entity: {
      type: kind,
      name: entered(form, 'entity_name'),
      ticker: entered(form, 'ticker'),
    },
    input_cutoff_at: toInstant(entered(form, 'input_cutoff_at')) ?? now.toISOString(),
    resolution_deadline: deadline,
    slug: slugOf(question, readField(form, 'key') ?? randomUUID()),
    ...readAudience(entered(form, 'audience')),
    ...(source !== null && {
      resolution_rule: {
        type: 'threshold',
        source,
        op: optional(form, 'op') ?? 'gt',
        threshold,
        observed_at: toInstant(entered(form, 'observed_at')),
        ...(settleDays !== '' && { settle_days: Number(settleDays) }),
      },
    }),
  };
  return { body, errors };
}

/** Returns a word as the API spells categories and kinds. @example toWord('Real estate') // real-estate */
function toWord(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '-');
}

async function showForm(
  visit: ConsoleVisit,
  attempted: Pick<AskForm, 'values' | 'errors'>,
  refusal?: Refusal,
  status?: number,
): Promise<ConsolePage> {
  let workspaces: AskForm['workspaces'];
  try {
    // Guests and visitors without an identity have no workspaces, and may not ask.
    workspaces = (await visit.visitor.call('listWorkspaces')).workspaces;
    await visit.visitor.call('listEvents', { query: { limit: 1 } });
  } catch (error) {
    return showAccountFirst(visit, error, {
      title: 'Ask a question',
      head: renderHead('list', false),
      text: 'A question belongs to the account that asks it, and so does its score. An account is free, and you come back to this page.',
    });
  }
  const page = renderFormPage({
    heading: 'Ask a question',
    section: 'questions',
    crumbs: [{ href: QUESTIONS_PATH, label: 'Questions' }],
    errors: attempted.errors,
    refusal,
    body: await renderAskForm(visit, { ...attempted, workspaces }),
  });
  return { ...page, script: 'questions', ...(status !== undefined && { status }) };
}
