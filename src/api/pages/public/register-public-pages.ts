import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../access/index.ts';
import type { ForecastChart } from '../../../charts/index.ts';
import { renderPng } from '../../../compute/index.ts';
import {
  type FoundPublicForecast,
  findPublicForecast,
  findPublicSlug,
  type PublicForecast,
  readPublicForecast,
  readPublicProof,
} from '../../../forecasts/index.ts';
import { findPublicEvent, readPublicRevisions } from '../../../scout/index.ts';
import { countRequest } from '../../edge/admit.ts';
import { presentedCookies } from '../../edge/authenticate.ts';
import { publicPageNotFound } from '../../faults.ts';
import type { ApiParts } from '../../parts.ts';
import { forecastPage } from '../console/forecast/forecast-page.ts';
import { questionPage } from '../console/questions/question-page.ts';
import { admitVisitor } from '../console/serve-console.ts';
import { visitorPage } from '../console/serve-visitors.ts';
import { chartOf, drawChartFile, drawPicture, PICTURE_OPTIONS } from './forecast-chart.ts';
import { renderForecastEmbed, renderForecastPage } from './forecast-page.ts';
import { type Publication, Publications, type Rendered } from './publications.ts';
import { renderQuestionPage } from './question-page.ts';
import { FORMS, type Form, sendPublication, sendPublicError } from './send-publication.ts';

/** Longer texts and other characters are in no slug. An id has capital letters and is therefore not a slug. */
const SLUG = /^[a-z0-9-]{1,100}$/;

/** Renders one of the addresses of a forecast. Returns null if the forecast has no result or is no longer public. */
type RenderForecast = (parts: ApiParts, found: FoundPublicForecast) => Promise<Rendered | null>;

type Body = Rendered['body'] | null;

/** Returns the function that renders a forecast from everything that its page shows. */
function rendering(render: (published: PublicForecast, parts: ApiParts) => Promise<Body> | Body): RenderForecast {
  return async (parts, found) => {
    const published = await readPublicForecast(parts.forecasts, found);
    if (published === null) return null;
    const body = await render(published, parts);
    return body === null ? null : { body, version: published.version };
  };
}

/** Returns the function that renders the chart of a forecast. */
function drawing(draw: (chart: ForecastChart, published: PublicForecast) => Promise<Body> | Body): RenderForecast {
  return rendering((published) => {
    const chart = chartOf(published);
    return chart && draw(chart, published);
  });
}

/** The pages that visitors with a session get as pages of the console, and the lists that they belong to. */
const FORECAST_PAGE = '/forecasts/:slug';
const QUESTION_PAGE = '/questions/:slug';
const LISTS: Readonly<Record<string, string>> = { [FORECAST_PAGE]: '/forecasts', [QUESTION_PAGE]: '/questions' };

const FORECAST_ADDRESSES: readonly (readonly [path: string, form: Form, render: RenderForecast])[] = [
  [FORECAST_PAGE, FORMS.page, rendering((published, { siteUrl }) => renderForecastPage(published, siteUrl()))],
  ['/embed/:slug', FORMS.embed, rendering(renderForecastEmbed)],
  ['/forecasts/:slug/chart.svg', FORMS.svg, drawing((chart) => drawChartFile(chart))],
  [
    '/forecasts/:slug/chart.png',
    FORMS.png,
    drawing((chart, published) => renderPng(drawPicture(chart, published), PICTURE_OPTIONS)),
  ],
  ['/forecasts/:slug/proof.json', FORMS.proof, renderProof],
];

/** The file of a version never becomes an earlier one again: a proof does not change, and its receipt is only added to. */
async function renderProof({ forecasts }: ApiParts, found: FoundPublicForecast): Promise<Rendered | null> {
  const proof = await readPublicProof(forecasts, found);
  return proof && { body: `${JSON.stringify(proof)}\n`, version: found.version };
}

/**
 * Registers the pages that need no credential: public forecasts with their charts and proofs, and public questions.
 * Credentials of a request are not read, except that a browser with a session gets the page of a forecast or question with
 * what its account or guest may see. For every other reader, everything that is not public has the same response as an address at
 * which nothing ever was.
 */
export async function registerPublicPages(app: FastifyInstance, parts: ApiParts): Promise<void> {
  const publications = new Publications();
  await app.register(async (context) => {
    context.setErrorHandler(sendPublicError);
    context.addHook('onRequest', async (request, reply) => {
      reply.header('x-robots-tag', 'noindex');
      if (LISTS[request.routeOptions.url ?? ''] === undefined) return countReader(parts, request, reply);
      // Caches must not send the page of a visitor to other readers.
      reply.header('vary', 'Cookie');
      await (presentedCookies(request) === null ? countReader : admitVisitor)(parts, request, reply);
    });
    const sendForecast = visitorPage(parts, forecastPage);
    const sendQuestion = visitorPage(parts, questionPage);
    const serve = (path: string, form: Form, read: (slug: string) => Promise<Publication | null>) =>
      context.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
        const { slug } = request.params as { readonly slug: string };
        const list = LISTS[path];
        if (slug === '' && list !== undefined) return reply.header('cache-control', 'no-store').redirect(list, 303);
        const { kind } = request.principal ?? ANONYMOUS;
        if (path === FORECAST_PAGE && kind !== 'anonymous') return sendForecast(request, reply);
        if (path === QUESTION_PAGE && kind === 'account') return sendQuestion(request, reply);
        const publication = SLUG.test(slug) ? await read(slug) : null;
        // Guests cannot read questions. The page states it, whether or not there is such a question.
        if (publication === null && kind === 'guest') return sendQuestion(request, reply);
        if (publication === null) throw publicPageNotFound();
        return sendPublication(request, reply, publication, form);
      });
    for (const [path, form, render] of FORECAST_ADDRESSES) {
      serve(path, form, async (slug) => {
        const found = await findPublicForecast(parts.forecasts, slug);
        if (found === null) return null;
        return publications.read(`${path} ${found.id}`, found.version, async () => render(parts, found));
      });
    }
    serve(QUESTION_PAGE, FORMS.page, (slug) => readQuestion(parts, publications, slug));
  });
}

async function countReader(parts: ApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await countRequest(parts, ANONYMOUS, request, reply);
}

async function readQuestion(parts: ApiParts, publications: Publications, slug: string): Promise<Publication | null> {
  const { scout, forecasts, licenses } = parts;
  const found = await findPublicEvent(scout, licenses, slug);
  if (found === null) return null;
  const { id, source_forecast_id: source } = found.event;
  // Read for every request, because the forecast can be deleted or made private.
  const sourceSlug = source === null ? null : await findPublicSlug(forecasts, source);
  const version = `${found.version} ${sourceSlug}`;
  return publications.read(`question ${id}`, version, async () => {
    // Revisions are only added, so that the page of a version never becomes an earlier one again.
    const revisions = await readPublicRevisions(scout, id);
    return { body: renderQuestionPage({ found, revisions, sourceSlug }, parts.siteUrl()), version };
  });
}
